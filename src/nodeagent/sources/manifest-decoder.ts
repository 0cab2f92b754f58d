import type { Pod } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
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

/** Makes static pods of manifests. */
export interface ManifestDecoder {
  /**
   * The pod of a manifest in JSON or YAML: decoded, with defaults, with the identity of a static pod, valid.
   *
   * @throws ManifestError when it is none, or not valid.
   */
  decodePod(bytes: Buffer, origin: ManifestOrigin, nowMs: number): Pod;
  /** The pods of a `PodList`. One that is not valid spoils all. @throws ManifestError */
  decodePodList(bytes: Buffer, origin: ManifestOrigin, nowMs: number): Pod[];
}

/** Makes a decoder. The types and rules of the API are loaded with it, so an agent without manifests need not. */
export declare function loadManifestDecoder(options: ManifestDecoderOptions): Promise<ManifestDecoder>;
