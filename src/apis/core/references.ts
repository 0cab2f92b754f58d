import type { Container, PersistentVolume, Pod, Volume } from '../types/core-v1.ts';

/** Names of objects that a pod refers to, all in its namespace, each perhaps several times. */
export interface PodReferences {
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
}

/**
 * What a pod refers to in variables, volumes and for pulling images. Source: release 1.20, `VisitPodSecretNames`,
 * `VisitPodConfigmapNames`.
 */
export function podReferences({ metadata, spec }: Pod): PodReferences {
  const { initContainers, containers, ephemeralContainers, volumes, imagePullSecrets } = spec;
  const all: readonly Pick<Container, 'env' | 'envFrom'>[] = [
    ...(initContainers ?? []),
    ...(containers ?? []),
    ...(ephemeralContainers ?? []),
  ];
  const from = all.flatMap(({ envFrom }) => envFrom ?? []);
  const values = all.flatMap(({ env }) => env ?? []).map(({ valueFrom }) => valueFrom);
  const projections = (volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  return {
    secrets: named([
      ...(imagePullSecrets ?? []).map(({ name }) => name),
      ...from.map(({ secretRef }) => secretRef?.name),
      ...values.map((value) => value?.secretKeyRef?.name),
      ...projections.map(({ secret }) => secret?.name),
      ...(volumes ?? []).flatMap(secretsOfVolume),
    ]),
    configMaps: named([
      ...from.map(({ configMapRef }) => configMapRef?.name),
      ...values.map((value) => value?.configMapKeyRef?.name),
      ...projections.map(({ configMap }) => configMap?.name),
      ...(volumes ?? []).map(({ configMap }) => configMap?.name),
    ]),
    claims: named(
      (volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) =>
        // The claim of a generic ephemeral volume is named after pod and volume.
        ephemeral === undefined ? persistentVolumeClaim?.claimName : `${metadata.name ?? ''}-${name}`,
      ),
    ),
  };
}

function secretsOfVolume(volume: Volume): (string | undefined)[] {
  const { azureFile, secret, csi, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume;
  const sources = [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos];
  return [
    azureFile?.secretName,
    secret?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...sources.map((source) => source?.secretRef?.name),
  ];
}

const named = (names: readonly (string | undefined)[]): string[] =>
  names.flatMap((name = '') => (name === '' ? [] : [name]));

/**
 * Secrets that an agent needs to use a volume; those that are the controllers' only are left out. Source: release 1.20,
 * `VisitPVSecretNames`.
 */
export function volumeSecrets({ spec }: PersistentVolume): { namespace: string; name: string }[] {
  const { azureFile, csi, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, claimRef } = spec;
  const sources = [cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map(
    (source) => source?.secretRef ?? undefined,
  );
  const references = [
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace ?? undefined },
    ...sources,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
  ];
  return references.flatMap((reference) => {
    const { name = '', namespace } = reference ?? {};
    return name === '' ? [] : [{ name, namespace: namespace || (claimRef?.namespace ?? '') }];
  });
}
