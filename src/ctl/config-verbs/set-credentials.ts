import type { ClientConfig } from '../../client/config/index.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { edit, fileOf, loadMerged } from './files.ts';
import { embedOption, fileFields, pickGiven, takeName } from './set-entries.ts';

const exec = 'Credentials by a program';
const provider = 'Credentials by a provider';
const execOptions = [
  { name: 'exec-command', type: 'string', section: exec, help: 'Program that gives the credentials.' },
  {
    name: 'exec-api-version',
    type: 'string',
    section: exec,
    help: 'Form of its answers, such as client.authentication.orch.io/v1beta1.',
  },
  { name: 'exec-arg', type: 'strings', section: exec, help: 'New arguments of the program.' },
  {
    name: 'exec-env',
    type: 'stringArray',
    section: exec,
    help: 'Environment variable of the program, NAME=VALUE; NAME- takes one out. Repeatable.',
  },
  { name: 'auth-provider', type: 'string', section: provider, help: 'Name of the provider, such as oidc.' },
  {
    name: 'auth-provider-arg',
    type: 'strings',
    section: provider,
    help: 'Setting of the provider, KEY=VALUE; KEY- takes one out.',
  },
] as const;

/** What a user has of a program or a provider, in the form of the file. */
type Part = Readonly<Record<string, unknown>>;

/** `ctl config set-credentials`; the global flags say what goes into the user. */
export const setCredentialsVerb = defineVerb({
  program: {
    name: 'ctl config set-credentials',
    summary: 'Make or change a user',
    usage:
      'NAME [--token=TOKEN | --username=NAME --password=TEXT] [--client-certificate=FILE] [--client-key=FILE] [--exec-command=PROGRAM --exec-api-version=VERSION]',
    options: [embedOption, ...execOptions],
  },
  async run(ctl, { options, args, given }) {
    const name = takeName(args, 'user');
    const { flags } = ctl;
    if (flags.token && (flags.username || flags.password)) {
      throw new CtlError(
        'you cannot specify more than one authentication method at the same time: --token, --username/--password',
      );
    }
    if (options.embedCerts && !flags.clientCertificate && !flags.clientKey) {
      throw new CtlError('you must specify a --client-certificate or --client-key to embed');
    }
    const user = (await loadMerged(ctl)).users.get(name);
    const fields = {
      ...pickGiven(given, flags, { token: 'token', username: 'username', password: 'password' }),
      ...fileFields('client-certificate', flags.clientCertificate, options.embedCerts),
      ...fileFields('client-key', flags.clientKey, options.embedCerts),
      ...execFields(user, options),
      ...providerFields(user, options),
    };
    await edit(await fileOf(ctl, 'users', name), { kind: 'set', section: 'users', name, fields });
    ctl.io.stdout.write(`User ${JSON.stringify(name)} set.\n`);
  },
});

type User = ReturnType<ClientConfig['users']['get']>;

interface ExecFlags {
  readonly execCommand?: string | undefined;
  readonly execApiVersion?: string | undefined;
  readonly execArg: readonly string[];
  readonly execEnv: readonly string[];
}

/** The program of a user with what the flags change of it; nothing when they do not speak of it. */
function execFields(user: User, flags: ExecFlags): { readonly exec?: Part } {
  const { execCommand, execApiVersion, execArg, execEnv } = flags;
  const isGiven = execArg.length + execEnv.length > 0 || (execCommand ?? execApiVersion) !== undefined;
  if (!isGiven) return {};
  const old: Part = user?.exec ?? {};
  if (!execCommand && old.command === undefined)
    throw new CtlError('--exec-command is needed: the user has no program so far');
  const known = Array.isArray(old.env) ? old.env : [];
  const variables = new Map<string, string>(known.map(({ name, value }) => [name, value]));
  changeEntries(variables, execEnv, '--exec-env');
  return {
    exec: {
      ...old,
      ...(execApiVersion === undefined ? {} : { apiVersion: execApiVersion }),
      ...(execArg.length === 0 ? {} : { args: execArg }),
      ...(execCommand === undefined ? {} : { command: execCommand }),
      env: variables.size === 0 ? null : [...variables].map(([name, value]) => ({ name, value })),
    },
  };
}

interface ProviderFlags {
  readonly authProvider?: string | undefined;
  readonly authProviderArg: readonly string[];
}

function providerFields(user: User, flags: ProviderFlags): { readonly 'auth-provider'?: Part } {
  const { authProvider, authProviderArg } = flags;
  if (authProvider === undefined && authProviderArg.length === 0) return {};
  const old: Part = user?.authProvider ?? {};
  const name = authProvider ?? old.name;
  if (name === undefined) throw new CtlError('--auth-provider is needed: the user has no provider so far');
  const isSame = name === old.name;
  const settings = new Map<string, string>(isSame ? Object.entries(old.config ?? {}) : []);
  changeEntries(settings, authProviderArg, '--auth-provider-arg');
  return { 'auth-provider': { config: settings.size === 0 ? null : Object.fromEntries(settings), name } };
}

/** Sets `NAME=VALUE` and takes out `NAME-`. @throws CtlError for anything else */
function changeEntries(entries: Map<string, string>, changes: readonly string[], flag: string): void {
  for (const change of changes) {
    const at = change.indexOf('=');
    if (at > 0) entries.set(change.slice(0, at), change.slice(at + 1));
    else if (at < 0 && change.length > 1 && change.endsWith('-')) entries.delete(change.slice(0, -1));
    else throw new CtlError(`${flag}: ${JSON.stringify(change)} is neither NAME=VALUE nor NAME-`);
  }
}
