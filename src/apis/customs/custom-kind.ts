import type { ServedResource } from '../resources/index.ts';
import type { CustomResourceDefinition } from '../types/apiextensions-v1beta1.ts';
import { type CustomSources, CustomVersion } from './custom-version.ts';
import { type ConversionWebhook, type DefinitionOutline, detailsOf, webhookOf } from './definition.ts';
import { shownResource } from './served-resources.ts';

/** A definition as a kind. It never changes; a changed definition makes another one. Versions are made when first asked for. */
export class CustomKind {
  readonly outline: DefinitionOutline;
  readonly #sources: CustomSources;
  readonly #load: () => CustomResourceDefinition;
  readonly #versions = new Map<string, CustomVersion>();
  #webhook: ConversionWebhook | undefined;
  /** Read last. */
  #recent: WeakRef<CustomResourceDefinition> | undefined;

  /**
   * @param load reads the definition in its storage version.
   * @param predecessor the kind that this one takes the place of: where it says the same, what was compiled of it is kept.
   */
  constructor(
    outline: DefinitionOutline,
    sources: CustomSources,
    load: () => CustomResourceDefinition,
    predecessor?: CustomKind,
  ) {
    this.outline = outline;
    this.#sources = sources;
    this.#load = load;
    if (predecessor === undefined || !saysTheSame(predecessor.outline, outline)) return;
    for (const [name, version] of predecessor.#versions) this.version(name)?.inherit(version);
  }

  /** A version, served or not. */
  version(name: string): CustomVersion | undefined {
    const known = this.#versions.get(name);
    if (known !== undefined) return known;
    const outline = this.outline.versions.find((version) => version.name === name);
    if (outline === undefined) return undefined;
    const version = new CustomVersion(this.outline, outline, this.#sources, () =>
      detailsOf(this.#definition(), name, this.#sources.dialect.extensionPrefix),
    );
    this.#versions.set(name, version);
    return version;
  }

  /** Not to be changed. Its versions are mostly read one after the other: it is kept as long as that costs nothing. */
  #definition(): CustomResourceDefinition {
    const known = this.#recent?.deref();
    if (known !== undefined) return known;
    const definition = this.#load();
    this.#recent = new WeakRef(definition);
    return definition;
  }

  /** The webhook that converts objects; undefined where versions differ in nothing but their name. */
  get webhook(): ConversionWebhook | undefined {
    if (this.outline.conversion === 'None') return undefined;
    this.#webhook ??= webhookOf(this.#load());
    return this.#webhook;
  }

  /** The version that objects are stored in. @throws RangeError for a definition without one, which is never served. */
  get storage(): CustomVersion {
    const version = this.version(this.outline.storageVersion);
    if (version === undefined) throw new RangeError(`no storage version in ${this.outline.name}`);
    return version;
  }

  /** The versions as discovery shows them; none before the definition is established. */
  shownResources(): readonly ServedResource[] {
    const { isEstablished, versions } = this.outline;
    if (!isEstablished) return [];
    return versions.filter(({ isServed }) => isServed).map((version) => shownResource(this.outline, version));
  }

  /** What documents tell of a version that is shown. */
  publish(name: string): { readonly resource: ServedResource; readonly schema?: unknown } {
    const version = this.version(name);
    if (version === undefined) throw new RangeError(`no version ${name} in ${this.outline.name}`);
    const resource = shownResource(this.outline, version.outline);
    return this.outline.hasStructure ? { resource, schema: version.openApiSchema } : { resource };
  }

  /** Lets go what was compiled and not used since the last call. */
  forgetIdle(): void {
    for (const version of this.#versions.values()) version.forgetIdle();
  }
}

const saysTheSame = (before: DefinitionOutline, now: DefinitionOutline): boolean =>
  before.uid === now.uid && before.generation === now.generation;
