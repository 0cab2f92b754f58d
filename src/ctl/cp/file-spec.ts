import { CtlError } from '../errors.ts';

/** A local file, or one of a pod. */
export interface FileSpec {
  /** Empty for a local file. */
  readonly pod: string;
  /** Empty when none was named. */
  readonly namespace: string;
  readonly file: string;
}

const formatProblem = 'filespec must match the canonical format: [[namespace/]pod:]file/path';

/** Reads `[[NAMESPACE/]POD:]PATH`. @throws CtlError */
export function parseFileSpec(text: string): FileSpec {
  const colon = text.indexOf(':');
  if (colon < 0) return { pod: '', namespace: '', file: text };
  const owners = text.slice(0, colon).split('/');
  const file = text.slice(colon + 1);
  if (colon === 0 || owners.length > 2) throw new CtlError(formatProblem);
  const [pod = '', namespace = ''] = owners.reverse();
  return { pod, namespace, file };
}
