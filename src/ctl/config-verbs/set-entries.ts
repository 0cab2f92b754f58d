import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtlError, UsageError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { edit, fileOf, loadMerged } from './files.ts';

const embedOption = {
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
      throw new UsageError('you cannot specify both a context name and --current');
    const name = options.current ? config.currentContext : takeName(args, 'context');
    if (name === '') throw new CtlError('no current context is set');
    const isNew = !config.contexts.has(name);
    const { cluster, user, namespace } = ctl.flags;
    const fields = pickGiven(given, { cluster, user, namespace });
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
    const authority = flags['certificate-authority'];
    if (authority && flags['insecure-skip-tls-verify']) {
      throw new CtlError('you cannot specify a certificate authority and insecure mode at the same time');
    }
    const fields = {
      ...pickGiven(given, {
        server: flags.server,
        'tls-server-name': flags['tls-server-name'],
        'insecure-skip-tls-verify': flags['insecure-skip-tls-verify'],
      }),
      ...fileFields('certificate-authority', authority, options['embed-certs']),
      ...(authority ? { 'insecure-skip-tls-verify': undefined } : {}),
      ...(flags['insecure-skip-tls-verify']
        ? { 'certificate-authority': undefined, 'certificate-authority-data': undefined }
        : {}),
    };
    await edit(await fileOf(ctl, 'clusters', name), { kind: 'set', section: 'clusters', name, fields });
    ctl.io.stdout.write(`Cluster ${JSON.stringify(name)} set.\n`);
  },
});

/** `ctl config set-credentials`; the global flags say what goes into the user. */
export const setCredentialsVerb = defineVerb({
  program: {
    name: 'ctl config set-credentials',
    summary: 'Make or change a user',
    usage:
      'NAME [--token=TOKEN | --username=NAME --password=TEXT] [--client-certificate=FILE] [--client-key=FILE]',
    options: [embedOption],
  },
  async run(ctl, { options, args, given }) {
    const name = takeName(args, 'user');
    const { flags } = ctl;
    if (flags.token && (flags.username || flags.password)) {
      throw new CtlError(
        'you cannot specify more than one authentication method at the same time: --token, --username/--password',
      );
    }
    const { token, username, password } = flags;
    const fields = {
      ...pickGiven(given, { token, username, password }),
      ...fileFields('client-certificate', flags['client-certificate'], options['embed-certs']),
      ...fileFields('client-key', flags['client-key'], options['embed-certs']),
    };
    await edit(await fileOf(ctl, 'users', name), { kind: 'set', section: 'users', name, fields });
    ctl.io.stdout.write(`User ${JSON.stringify(name)} set.\n`);
  },
});

function takeName(args: readonly string[], what: string): string {
  const [name] = args;
  if (name === undefined || args.length > 1)
    throw new UsageError(`exactly one ${what} name is required, got ${args.length}`);
  return name;
}

/** Fields whose flags were given; an empty value takes a field out. */
function pickGiven(
  given: ReadonlySet<string>,
  fields: Readonly<Record<string, string | boolean | undefined>>,
) {
  const present = Object.entries(fields).filter(([field]) => given.has(field));
  return Object.fromEntries(present.map(([field, value]) => [field, value === '' ? undefined : value]));
}

function fileFields(
  field: string,
  file: string | undefined,
  isEmbedded: boolean,
): Record<string, string | undefined> {
  if (!file) return {};
  if (!isEmbedded) return { [field]: resolve(file), [`${field}-data`]: undefined };
  try {
    return { [`${field}-data`]: readFileSync(file).toString('base64'), [field]: undefined };
  } catch (cause) {
    throw new CtlError(`could not read ${field} data from ${file}: no such file or directory`, { cause });
  }
}
