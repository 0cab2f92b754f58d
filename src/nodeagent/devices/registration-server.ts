import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { isExtendedResource } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { pluginProtocol, pluginVersion, type RegisterRequest } from './plugin-messages.ts';

/** Where plugins make themselves known, and who is told. */
export interface RegistrationServerOptions {
  readonly folder: string;
  /** Name of the socket's file. */
  readonly socketName: string;
  /** Files of the folder that are kept; all others are sockets of plugins, which make new ones. */
  readonly keeps: readonly string[];
  readonly onRegister: (request: RegisterRequest) => void;
  readonly dialect: Dialect;
}

/**
 * Listens for plugins. Those that are there see that the socket is another one, and register again.
 *
 * @throws Error when the folder or the socket cannot be made
 */
export async function startRegistrationServer(options: RegistrationServerOptions): Promise<AsyncDisposable> {
  const { folder, socketName, keeps, onRegister, dialect } = options;
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const name of await readdir(folder)) {
    if (keeps.includes(name) || (await stat(join(folder, name)).catch(() => undefined))?.isDirectory())
      continue;
    await rm(join(folder, name), { force: true });
  }
  const server = new Server();
  server.addService(pluginProtocol.service('Registration'), {
    Register: (
      { request }: { readonly request: RegisterRequest },
      answer: (error: object | null, value?: object) => void,
    ) => {
      const problem = findProblem(request, dialect);
      if (problem !== undefined) return answer({ code: status.UNKNOWN, details: problem });
      answer(null, {});
      onRegister(request);
    },
  });
  await listen(server, join(folder, socketName));
  return { [Symbol.asyncDispose]: async () => server.forceShutdown() };
}

/** Has a server listen on a socket. @throws Error when it cannot be made */
export function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
}

/** Texts of release 1.20. A path that leads out of the folder is refused. */
function findProblem(
  { version, endpoint, resource_name: name }: RegisterRequest,
  dialect: Dialect,
): string | undefined {
  if (version !== pluginVersion) {
    return `requested API version ${JSON.stringify(version)} is not supported by ${dialect.spell('nodeagent')}. Supported version is ["${pluginVersion}"]`;
  }
  if (!name.includes('/') || !isExtendedResource(name, dialect)) {
    return `the ResourceName ${JSON.stringify(name)} is invalid`;
  }
  if (endpoint === '' || endpoint.includes('/') || endpoint === '.' || endpoint === '..') {
    return `the Endpoint ${JSON.stringify(endpoint)} is not the name of a socket in the folder of plugins`;
  }
  return undefined;
}
