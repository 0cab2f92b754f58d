import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isExtendedResource } from '../../apis/validation/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { GrpcError } from '../grpc/grpc-error.ts';
import { serveServices } from '../grpc/serve-services.ts';
import { socketPathProblem } from '../grpc/service-client.ts';
import {
  pluginVersion,
  type RegisterRequest,
  type RegistrationMethods,
  registrationService,
} from './plugin-messages.ts';

/** Where plugins make themselves known, and who is told. */
export interface RegistrationServerOptions {
  readonly folder: string;
  /** Name of the socket's file. */
  readonly socketName: string;
  /** Files of the folder that are kept; all others are sockets of plugins, which make new ones. */
  readonly keeps: readonly string[];
  /** A plugin asks to be registered, whatever comes of it. */
  readonly onRequest: (resource: string) => void;
  readonly onRegister: (request: RegisterRequest) => void;
  readonly dialect: Dialect;
}

/**
 * Listens for plugins. Those that are there see that the socket is another one, and register again.
 *
 * @throws Error when the folder or the socket cannot be made
 */
export async function startRegistrationServer(options: RegistrationServerOptions): Promise<AsyncDisposable> {
  const { folder, socketName, keeps, onRequest, onRegister, dialect } = options;
  await mkdir(folder, { recursive: true, mode: 0o755 });
  for (const name of await readdir(folder)) {
    if (keeps.includes(name) || (await stat(join(folder, name)).catch(() => undefined))?.isDirectory())
      continue;
    await rm(join(folder, name), { force: true });
  }
  return serveServices(join(folder, socketName), (add) =>
    add<RegistrationMethods>(registrationService, {
      Register(request) {
        onRequest(request.resource_name);
        const problem = findProblem(request, folder, dialect);
        if (problem !== undefined) throw new GrpcError('Unknown', problem);
        // The plugin may wait for the answer before it serves.
        setImmediate(onRegister, request);
        return {};
      },
    }),
  );
}

/** Texts of release 1.20. A path that leads out of the folder is refused. */
function findProblem(
  { version, endpoint, resource_name: name }: RegisterRequest,
  folder: string,
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
  return socketPathProblem(join(folder, endpoint));
}
