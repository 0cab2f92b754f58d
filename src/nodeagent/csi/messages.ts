/** Texts by keys: contexts, attributes, secrets. */
export type TextMap = Readonly<Record<string, string>>;

/** How a volume is to be used, as drivers are told: with neither `block` nor `mount` left out both. */
export interface VolumeCapability {
  readonly block?: object;
  readonly mount?: { readonly fs_type: string; readonly mount_flags: readonly string[] };
  readonly access_mode: { readonly mode: number };
}

/** What stages a volume once for the node. */
export interface StageRequest {
  readonly volume_id: string;
  readonly publish_context: TextMap;
  readonly staging_target_path: string;
  readonly volume_capability: VolumeCapability;
  readonly secrets: TextMap;
  readonly volume_context: TextMap;
}

/** What publishes a volume to one pod; without stage, `staging_target_path` is empty. */
export interface PublishRequest extends StageRequest {
  readonly target_path: string;
  readonly readonly: boolean;
}

/** What grows the volume on the node. */
export interface ExpandRequest {
  readonly volume_id: string;
  readonly volume_path: string;
  readonly capacity_range: { readonly required_bytes: number };
  readonly staging_target_path: string;
  readonly volume_capability: VolumeCapability;
}

/** What a driver says of the node. */
export interface NodeInfoAnswer {
  readonly node_id: string;
  /** 0: the driver does not say. */
  readonly max_volumes_per_node: number;
  readonly accessible_topology: { readonly segments: TextMap } | null;
}

/** One figure of a volume. */
export interface VolumeUsageAnswer {
  readonly available: number;
  readonly total: number;
  readonly used: number;
  /** 1: bytes; 2: inodes. */
  readonly unit: number;
}

/** The node service of the container storage interface, version 1 (`csi.proto` of release 1.2). */
export interface CsiMethods extends Readonly<Record<string, readonly [object, object]>> {
  readonly NodeGetInfo: readonly [object, NodeInfoAnswer];
  readonly NodeGetCapabilities: readonly [
    object,
    { readonly capabilities: readonly { readonly rpc: { readonly type: number } | null }[] },
  ];
  readonly NodeStageVolume: readonly [StageRequest, object];
  readonly NodeUnstageVolume: readonly [
    { readonly volume_id: string; readonly staging_target_path: string },
    object,
  ];
  readonly NodePublishVolume: readonly [PublishRequest, object];
  readonly NodeUnpublishVolume: readonly [
    { readonly volume_id: string; readonly target_path: string },
    object,
  ];
  readonly NodeExpandVolume: readonly [ExpandRequest, { readonly capacity_bytes: number }];
  readonly NodeGetVolumeStats: readonly [
    { readonly volume_id: string; readonly volume_path: string },
    { readonly usage: readonly VolumeUsageAnswer[] },
  ];
}
