import type { Dialect } from '../../machinery/dialect.ts';

/** Options of a volume that a driver gets. */
export interface DriverOptionsInput {
  readonly fsType: string;
  readonly isReadOnly: boolean;
  /** Of the persistent volume, or of the volume in its pod. */
  readonly volumeName: string;
  /** The author's own, which win over all others. */
  readonly options: Readonly<Record<string, string>>;
  /** For the mount into a pod only. */
  readonly pod?: DriverPod | undefined;
}

/** Options of the pod that a driver gets when it mounts a volume. */
export interface DriverPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly serviceAccountName: string;
  readonly groupId: number | undefined;
  /** Base64 by keys. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The JSON argument of a driver's calls, keys in order (names: release 1.20's, release 1.20). */
export function driverOptions(dialect: Dialect, input: DriverOptionsInput): string {
  const { fsType, isReadOnly, volumeName, options, pod } = input;
  const all: [string, string][] = [
    [dialect.label('fsType'), fsType],
    [dialect.label('readwrite'), isReadOnly ? 'ro' : 'rw'],
    [dialect.label('pvOrVolumeName'), volumeName],
    ...(pod === undefined ? [] : podOptions(dialect, pod)),
    ...Object.entries(options),
  ];
  const sorted = [...new Map(all)].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

function podOptions(dialect: Dialect, pod: DriverPod): [string, string][] {
  const { name, namespace, uid, serviceAccountName, groupId, secrets } = pod;
  const secretKey = dialect.label('secret');
  return [
    [dialect.label('pod.name'), name],
    [dialect.label('pod.namespace'), namespace],
    [dialect.label('pod.uid'), uid],
    [dialect.label('serviceAccount.name'), serviceAccountName],
    ...Object.entries(secrets).map(([key, data]): [string, string] => [`${secretKey}/${key}`, data]),
    ...(groupId === undefined
      ? []
      : [[dialect.label('mounterArgs.FsGroup'), `${groupId}`] satisfies [string, string]]),
  ];
}

/** Shorter texts are in every message by chance. */
const minSecretLength = 4;

/** A text without the secrets, given as base64, that a driver may have repeated in it. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((data) => [data, Buffer.from(data, 'base64').toString('utf8').trim()]);
  // The longest first: one may be part of another.
  forms.sort((a, b) => b.length - a.length);
  return forms.reduce(
    (rest, secret) => (secret.length < minSecretLength ? rest : rest.replaceAll(secret, '<redacted>')),
    text,
  );
}
