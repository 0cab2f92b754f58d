import descriptor from './device-protocol.json' with { type: 'json' };
import { Protocol } from './grpc-service.ts';

/** The interface between the agent and device plugins, version `v1beta1`. */
export const pluginProtocol = new Protocol(descriptor, 'v1beta1');

/** The only version of the interface. */
export const pluginVersion = 'v1beta1';

/** What a plugin can do beside what every plugin must. */
export interface PluginOptions {
  readonly pre_start_required: boolean;
  readonly get_preferred_allocation_available: boolean;
}

/** A plugin makes itself known: its socket is a file beside that of the agent. */
export interface RegisterRequest {
  readonly version: string;
  readonly endpoint: string;
  readonly resource_name: string;
  readonly options: PluginOptions | null;
}

/** A device as a plugin lists it. */
export interface ListedDevice {
  readonly ID: string;
  /** `Healthy`, or anything else. */
  readonly health: string;
  /** NUMA nodes that it is close to. */
  readonly topology: { readonly nodes: readonly { readonly ID: number }[] } | null;
}

/** What a container is made with to have its devices. */
export interface ContainerAllocation {
  readonly envs: Readonly<Record<string, string>>;
  readonly mounts: readonly {
    readonly container_path: string;
    readonly host_path: string;
    readonly read_only: boolean;
  }[];
  readonly devices: readonly {
    readonly container_path: string;
    readonly host_path: string;
    readonly permissions: string;
  }[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** Bytes of an allocation, as the checkpoint keeps them. */
export const encodeAllocation = (allocation: ContainerAllocation): Buffer =>
  pluginProtocol.encode('ContainerAllocateResponse', allocation);

/** The reverse. @throws Error for bytes that are none */
export const decodeAllocation = (bytes: Uint8Array): ContainerAllocation =>
  // The decoder makes objects with all fields of the message.
  pluginProtocol.decode('ContainerAllocateResponse', bytes) as ContainerAllocation;
