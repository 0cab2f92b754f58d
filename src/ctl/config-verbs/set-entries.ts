import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { reasonText } from '../../base/index.ts';
import type { KeySet } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { edit, fileOf, loadMerged } from './files.ts';

/** `--embed-certs`. */
export const embedOption = {
  name: 'embed-certs',
  type: 'bool',
  section: 'Changes',
  help: 'Put the content of certificate files into the configuration instead of their names.',
} as const;

/** `ctl config set-context`; the global flags say what goes into the context. */
export const setContextVerb = defineVerb({
  program: {
    name: 'ctl config set-context',
    summary: 'Make or change a context',
    usage: '(NAME | --current) [--cluster=NAME] [--user=NAME] [--namespace=NAME]',
    options: [{ name: 'current', type: 'bool', section: 'Changes', help: 'Change the current context.' }],
  },
  async run(ctl, { options, args, given }) {
    const config = await loadMerged(ctl);
    if (options.current && args.length > 0)
      throw new CtlError('you cannot specify both a context name and --current');
    if (!options.current && args.length === 0)
      throw new CtlError('you must specify a non-empty context name or --current');
    const name = options.current ? config.currentContext : takeName(args, 'context');
    if (name === '') throw new CtlError('no current context is set');
    const isNew = !config.contexts.has(name);
    const fields = pickGiven(given, ctl.flags, { cluster: 'cluster', user: 'user', namespace: 'namespace' });
    await edit(await fileOf(ctl, 'contexts', name), { kind: 'set', section: 'contexts', name, fields });
    ctl.io.stdout.write(`Context ${JSON.stringify(name)} ${isNew ? 'created' : 'modified'}.\n`);
  },
});

/** `ctl config set-cluster`; the global flags say what goes into the cluster. */
export const setClusterVerb = defineVerb({
  program: {
    name: 'ctl config set-cluster',
    summary: 'Make or change a cluster',
    usage:
      'NAME [--server=URL] [--certificate-authority=FILE] [--insecure-skip-tls-verify] [--tls-server-name=NAME]',
    options: [embedOption],
  },
  async run(ctl, { options, args, given }) {
    const name = takeName(args, 'cluster');
    const { flags } = ctl;
    const authority = flags.certificateAuthority;
    if (authority && flags.insecureSkipTlsVerify) {
      throw new CtlError('you cannot specify a certificate authority and insecure mode at the same time');
    }
    if (options.embedCerts && !authority) {
      throw new CtlError('you must specify a --certificate-authority to embed');
    }
    const fields = {
      ...pickGiven(given, flags, {
        server: 'server',
        'tls-server-name': 'tlsServerName',
        'insecure-skip-tls-verify': 'insecureSkipTlsVerify',
      }),
      ...fileFields('certificate-authority', authority, options.embedCerts),
      ...(authority ? { 'insecure-skip-tls-verify': undefined } : {}),
      ...(flags.insecureSkipTlsVerify
        ? { 'certificate-authority': undefined, 'certificate-authority-data': undefined }
        : {}),
    };
    await edit(await fileOf(ctl, 'clusters', name), { kind: 'set', section: 'clusters', name, fields });
    ctl.io.stdout.write(`Cluster ${JSON.stringify(name)} set.\n`);
  },
});

/** The name of an entry. @throws UsageError */
export function takeName(args: readonly string[], what: string): string {
  const [name] = args;
  if (name === undefined || args.length > 1)
    throw new UsageError(`exactly one ${what} name is required, got ${args.length}`);
  return name;
}

/** Flags of every command whose values are kept in entries. */
type EntryFlag =
  | 'cluster'
  | 'user'
  | 'namespace'
  | 'server'
  | 'tlsServerName'
  | 'insecureSkipTlsVerify'
  | 'token'
  | 'username'
  | 'password';

/** Fields whose flags were given, by the keys of the flags; an empty value takes a field out. */
export function pickGiven(
  given: KeySet<EntryFlag>,
  flags: Pick<Ctl['flags'], EntryFlag>,
  fields: Readonly<Record<string, EntryFlag>>,
) {
  const present = Object.entries(fields).filter(([, key]) => given.has(key));
  return Object.fromEntries(
    present.map(([field, key]) => [field, flags[key] === '' ? undefined : flags[key]]),
  );
}

/** Where the content of a file is kept: by its name, or within. @throws CtlError */
export function fileFields(
  field: string,
  file: string | undefined,
  isEmbedded: boolean,
): Record<string, string | undefined> {
  if (!file) return {};
  if (!isEmbedded) return { [field]: resolve(file), [`${field}-data`]: undefined };
  try {
    return { [`${field}-data`]: readFileSync(file).toString('base64'), [field]: undefined };
  } catch (cause) {
    throw new CtlError(`could not stat ${field} file ${file}: stat ${file}: ${reasonText(cause)}`, { cause });
  }
}
