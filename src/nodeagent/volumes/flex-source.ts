import type { PersistentVolume, Volume } from '../../apis/types/core-v1.ts';

/** A volume of a third-party driver. */
export interface FlexSource {
  /** Of the persistent volume, or of the volume in its pod. */
  readonly name: string;
  /** Such as `vendor/driver`. */
  readonly driver: string;
  readonly fsType: string;
  readonly isReadOnly: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly secret: { readonly namespace: string; readonly name: string } | undefined;
}

/** The driver's volume that a pod names itself; undefined when it is of another kind. */
export function flexSourceOfPod({ name, flexVolume }: Volume, namespace: string): FlexSource | undefined {
  if (!flexVolume) return undefined;
  const { driver, fsType = '', readOnly, secretRef, options } = flexVolume;
  const secretName = secretRef?.name ?? '';
  return {
    name,
    driver,
    fsType,
    isReadOnly: readOnly === true,
    options: options ?? {},
    secret: secretName === '' ? undefined : { namespace, name: secretName },
  };
}

/** The driver's volume behind a claim, which says whether it is read-only. */
export function flexSourceOfClaim(
  { metadata, spec }: PersistentVolume,
  { namespace, isReadOnly }: { readonly namespace: string; readonly isReadOnly: boolean },
): FlexSource | undefined {
  if (!spec.flexVolume) return undefined;
  const { driver, fsType = '', secretRef, options } = spec.flexVolume;
  const secretName = secretRef?.name ?? '';
  return {
    name: metadata.name ?? '',
    driver,
    fsType,
    isReadOnly,
    options: options ?? {},
    secret:
      secretName === '' ? undefined : { namespace: secretRef?.namespace || namespace, name: secretName },
  };
}
