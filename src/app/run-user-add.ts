import { join, resolve } from 'node:path';
import { type ClusterEntry, readClientConfigFile, saveClientConfig } from '../client/config/index.ts';
import { parseLifetime, userAddOptions, userAddProgram } from '../config/access/index.ts';
import { OptionsError } from '../config/index.ts';
import { directoryKeyStore, issueCertificate, type KeyPair } from '../server/pki/index.ts';
import { dataDirectoryOf } from './admin-client.ts';
import { exitCodes } from './exit-codes.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';

/** Name of the cluster and the context in the file. */
const contextName = 'orch';
/** Common names have no more characters (RFC 5280, appendix A.1); control characters would lead people astray. */
const nameFormat = /^[^\p{Cc}]{1,64}$/u;

/** `orch user add`. Returns the exit code. @throws OptionsError, PkiError, ClientConfigError */
export async function runUserAdd(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, {
    program: userAddProgram,
    specs: userAddOptions,
    arguments: ['NAME, the name of the user'],
  });
  if (command === undefined) return exitCodes.success;
  const { flags, arguments: names } = command;
  const [name = ''] = names;
  const wrong = [name, ...flags.group].find((text) => !nameFormat.test(text));
  if (wrong !== undefined)
    throw new OptionsError([`${JSON.stringify(wrong)}: names have 1 to 64 characters that can be seen`]);
  const directory = flags.dataDir === undefined ? dataDirectoryOf(io) : resolve(flags.dataDir);
  const pair = await issueCertificate({
    authority: await readAuthority(join(directory, 'pki')),
    subject: { commonName: name, organizations: flags.group },
    usage: 'client',
    nowMs: Date.now(),
    lifetimeMs: parseLifetime(flags.expires) ?? 0,
  });
  const config = {
    clusters: new Map([[contextName, await readCluster(directory, flags.server)]]),
    users: new Map([
      [
        name,
        { clientCertificateData: base64(pair.certificatePem), clientKeyData: base64(pair.privateKeyPem) },
      ],
    ]),
    contexts: new Map([[contextName, { cluster: contextName, user: name }]]),
    currentContext: contextName,
  };
  const file = flags.output ?? `${name.replaceAll(/[^\w.@-]/g, '_')}.orchconfig`;
  await saveClientConfig(resolve(file), config);
  const groups = flags.group.length === 0 ? 'in no group' : `in ${flags.group.join(', ')}`;
  io.out(`${name} (${groups}) has access with ${file}. Next: ctl --orchconfig=${file} auth can-i --list\n`);
  return exitCodes.success;
}

async function readAuthority(directory: string): Promise<KeyPair> {
  const store = directoryKeyStore(directory);
  const [certificatePem, privateKeyPem] = await Promise.all([store.read('ca.crt'), store.read('ca.key')]);
  if (certificatePem !== undefined && privateKeyPem !== undefined) return { certificatePem, privateKeyPem };
  throw new Error(`there is no authority in ${directory}: start the server once, or give --data-dir`);
}

/** The server as its administrator reaches it, perhaps by another address. */
async function readCluster(directory: string, server: string | undefined): Promise<ClusterEntry> {
  const file = join(directory, 'admin.orchconfig');
  const admin = await readClientConfigFile(file);
  const cluster = admin?.clusters.get(admin.contexts.get(admin.currentContext)?.cluster ?? '');
  if (cluster === undefined)
    throw new Error(`${file} does not say where the server is: start the server once, or give --data-dir`);
  return server === undefined ? cluster : { ...cluster, server };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
