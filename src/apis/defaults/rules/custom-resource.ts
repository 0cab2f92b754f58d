import type { CustomResourceDefinition } from '../../types/apiextensions-v1.ts';
import type { CustomResourceDefinition as CustomResourceDefinitionBeta } from '../../types/apiextensions-v1beta1.ts';

/** Singular name and list kind follow from the kind. Holds for both versions. */
export function customNames({ spec }: { spec: { names: NamesOf } }): void {
  const { names } = spec;
  if (names.singular === undefined || names.singular === '') names.singular = names.kind.toLowerCase();
  if ((names.listKind === undefined || names.listKind === '') && names.kind !== '') {
    names.listKind = `${names.kind}List`;
  }
}

type NamesOf = CustomResourceDefinition['spec']['names'];

/** A single `version` is the list of versions, and the first of the list is the single `version`. */
export function customVersions({ spec }: CustomResourceDefinitionBeta): void {
  const version = spec.version ?? '';
  if (version !== '' && (spec.versions === undefined || spec.versions.length === 0)) {
    spec.versions = [{ name: version, served: true, storage: true }];
  }
  const first = spec.versions?.[0]?.name;
  if (version === '' && first !== undefined) spec.version = first;
}

interface WithStoredVersions {
  spec: { versions?: ReadonlyArray<{ name: string; storage: boolean }> | null | undefined };
  status: { storedVersions?: string[] | null | undefined };
}

/** Objects are first stored in the storage version. Holds for both versions. */
export function storedVersions({ spec, status }: WithStoredVersions): void {
  if (
    status.storedVersions !== undefined &&
    status.storedVersions !== null &&
    status.storedVersions.length > 0
  )
    return;
  const stored = spec.versions?.find((version) => version.storage);
  if (stored !== undefined) status.storedVersions = [stored.name];
}
