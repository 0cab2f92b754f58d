import type { CustomResourceDefinition } from '../types/apiextensions-v1beta1.ts';
import { type CustomSources, CustomVersion } from './custom-version.ts';
import { type DefinitionOutline, detailsOf } from './definition.ts';

/** A definition as a kind. It never changes; a changed definition makes another one. Versions are made when first asked for. */
export class CustomKind {
  readonly outline: DefinitionOutline;
  readonly #sources: CustomSources;
  readonly #load: () => CustomResourceDefinition;
  readonly #versions = new Map<string, CustomVersion>();

  /** @param load reads the definition in its storage version. */
  constructor(outline: DefinitionOutline, sources: CustomSources, load: () => CustomResourceDefinition) {
    this.outline = outline;
    this.#sources = sources;
    this.#load = load;
  }

  /** A version, served or not. */
  version(name: string): CustomVersion | undefined {
    const known = this.#versions.get(name);
    if (known !== undefined) return known;
    const outline = this.outline.versions.find((version) => version.name === name);
    if (outline === undefined) return undefined;
    const version = new CustomVersion(this.outline, outline, this.#sources, () =>
      detailsOf(this.#load(), name),
    );
    this.#versions.set(name, version);
    return version;
  }

  /** The version that objects are stored in. @throws RangeError for a definition without one, which is never served. */
  get storage(): CustomVersion {
    const version = this.version(this.outline.storageVersion);
    if (version === undefined) throw new RangeError(`no storage version in ${this.outline.name}`);
    return version;
  }

  /** Lets go what was compiled and not used since the last call. */
  forgetIdle(): void {
    for (const version of this.#versions.values()) version.forgetIdle();
  }
}
