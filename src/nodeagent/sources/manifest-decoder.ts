import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PodAnnotationNames } from './pod-annotations.ts';
import type { PodSourceName } from './pod-source.ts';

/** What manifests are read by. */
export interface ManifestDecoderOptions {
  readonly dialect: Dialect;
  readonly nodeName: string;
  /** Names of the features that are on. */
  readonly gates: ReadonlySet<string>;
}

/** Where a manifest was found. Together with the content it makes the uid of its pods. */
export interface ManifestOrigin {
  readonly source: Exclude<PodSourceName, 'api'>;
  /** Path of the file or the URL. */
  readonly location: string;
}

/** Makes static pods of manifests in JSON or YAML. Every text is taken for hostile. */
export interface ManifestDecoder {
  /** Names of the annotations that its pods carry. */
  readonly annotations: PodAnnotationNames;
  /**
   * The pod of a manifest: decoded, with defaults, with the identity of a static pod, valid.
   *
   * @throws ManifestError when it is none, or not valid.
   */
  decodePod(bytes: Buffer, origin: ManifestOrigin, nowMs: number): Pod;
  /** The pod of a manifest, or the pods of a `PodList`: one that is not valid spoils all. @throws as `decodePod`. */
  decodePods(bytes: Buffer, origin: ManifestOrigin, nowMs: number): Pod[];
  /** A pod that this decoder made and somebody wrote down as JSON, with the identity that it has. @throws ManifestError */
  restorePod(bytes: Buffer): Pod;
}
