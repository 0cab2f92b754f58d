import { isJsonObject } from '../../base/index.ts';
import { type ClientConfig, encodeClientConfig } from '../../client/config/index.ts';
import { CtlError, UnknownNameError, UsageError } from '../errors.ts';
import { missingKeysOption, outputOption, templateOption } from '../options/shared.ts';
import { createObjectPrinter } from '../printers/object-printer.ts';
import { parseObjectFormat } from '../printers/output-format.ts';
import { readLocalFile } from '../read-file.ts';
import { defineVerb } from '../verb.ts';
import { loadMerged } from './files.ts';

/** `ctl config view`. */
export const viewVerb = defineVerb({
  program: {
    name: 'ctl config view',
    summary: 'Show the merged configuration, without secrets',
    usage: '[flags]',
    options: [
      { name: 'raw', type: 'bool', section: 'Output', help: 'Show secrets too.' },
      { name: 'minify', type: 'bool', section: 'Output', help: 'Only what the current context needs.' },
      {
        name: 'flatten',
        type: 'bool',
        section: 'Output',
        help: 'Put the content of files in the place of their names.',
      },
      {
        name: 'merge',
        type: 'bool',
        default: true,
        section: 'Output',
        help: 'Show all files together; otherwise only the one that --orchconfig names.',
      },
      outputOption,
      templateOption,
      missingKeysOption,
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    const format = parseObjectFormat(options.output || 'yaml');
    if (!options.merge && !ctl.flags.orchconfig) {
      throw new CtlError('if merge==false a precise file must to specified');
    }
    const loaded = await loadMerged(ctl);
    const chosen = options.minify ? minify(loaded, ctl.flags.context) : loaded;
    const flat = options.flatten ? flatten(chosen) : chosen;
    const shown = encodeClientConfig(options.raw || options.flatten ? flat : redact(flat));
    for (const section of ['clusters', 'contexts', 'users']) {
      // Release 1.20 shows empty lists as null.
      if ((shown[section] as readonly unknown[]).length === 0) shown[section] = null;
    }
    const print = await createObjectPrinter({
      format,
      hasHeaders: true,
      allowsMissingKeys: options.allowMissingTemplateKeys,
      showsManagedFields: true,
      isTyped: true,
    });
    ctl.io.stdout.write(print(inFieldOrder(shown)));
  },
});

/** The order in which release 1.20's types have their fields. What they do not know is sorted. */
const fieldOrder = [
  ...['kind', 'command', 'args', 'env', 'apiVersion', 'installHint', 'provideClusterInfo'],
  ...['preferences', 'clusters', 'users', 'contexts', 'current-context', 'name', 'value', 'config'],
  ...['server', 'tls-server-name', 'insecure-skip-tls-verify', 'certificate-authority'],
  ...['certificate-authority-data', 'proxy-url', 'client-certificate', 'client-certificate-data'],
  ...['client-key', 'client-key-data', 'token', 'tokenFile', 'as', 'as-groups', 'as-user-extra'],
  ...['username', 'password', 'auth-provider', 'exec', 'cluster', 'context', 'user', 'namespace'],
  ...['extensions', 'extension'],
];

function inFieldOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inFieldOrder);
  if (!isJsonObject(value)) return value;
  const known = fieldOrder.filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !fieldOrder.includes(name));
  return Object.fromEntries([...known, ...others.sort()].map((name) => [name, inFieldOrder(value[name])]));
}

function minify(config: ClientConfig, wanted: string | undefined): ClientConfig {
  const name = wanted || config.currentContext;
  if (name === '') throw new CtlError('current-context must exist in order to minify');
  const context = config.contexts.get(name);
  if (context === undefined)
    throw new UnknownNameError(`cannot locate context ${name}`, name, config.contexts.keys());
  const only = <T>(map: ReadonlyMap<string, T>, key: string | undefined) =>
    new Map([...map].filter(([candidate]) => candidate === key));
  return {
    ...config,
    currentContext: name,
    contexts: only(config.contexts, name),
    clusters: only(config.clusters, context.cluster),
    users: only(config.users, context.user),
  };
}

function redact(config: ClientConfig): ClientConfig {
  return {
    ...config,
    clusters: mapValues(config.clusters, (entry) =>
      mask(entry, { certificateAuthorityData: 'DATA+OMITTED' }),
    ),
    users: mapValues(config.users, (entry) =>
      mask(entry, {
        clientCertificateData: 'REDACTED',
        clientKeyData: 'REDACTED',
        token: 'REDACTED',
        password: 'REDACTED',
      }),
    ),
  };
}

function flatten(config: ClientConfig): ClientConfig {
  return {
    ...config,
    clusters: mapValues(config.clusters, ({ certificateAuthority, ...entry }) => ({
      ...entry,
      ...inline('certificateAuthorityData', certificateAuthority),
    })),
    users: mapValues(config.users, ({ clientCertificate, clientKey, ...entry }) => ({
      ...entry,
      ...inline('clientCertificateData', clientCertificate),
      ...inline('clientKeyData', clientKey),
    })),
  };
}

function inline<K extends string>(field: K, file: string | undefined): { readonly [P in K]?: string } {
  if (file === undefined) return {};
  // A computed key of one literal type.
  return { [field]: readLocalFile(file).toString('base64') } as { readonly [P in K]?: string };
}

function mask<T extends object>(entry: T, masks: Readonly<Record<string, string>>): T {
  const present = Object.entries(masks).filter(([field]) => Object.hasOwn(entry, field));
  return { ...entry, ...Object.fromEntries(present) };
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => T): Map<string, T> {
  return new Map([...map].map(([name, value]) => [name, change(value)]));
}
