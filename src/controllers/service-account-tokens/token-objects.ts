import type { Secret, ServiceAccount } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';

/** Reads and writes of accounts and their secrets, each waiting for the server. */
export class TokenObjects {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** As it is now; undefined when it is gone. */
  account(namespace: string, name: string): Promise<ServiceAccount | undefined> {
    return this.#get(pathOf('serviceaccounts', namespace, name));
  }

  /** As it is now; undefined when it is gone. */
  secret(namespace: string, name: string): Promise<Secret | undefined> {
    return this.#get(pathOf('secrets', namespace, name));
  }

  async createSecret(secret: Secret): Promise<Secret> {
    const { client, signal } = this.#context;
    const path = pathOf('secrets', secret.metadata.namespace ?? '');
    return client.json<Secret>({ method: 'POST', path, body: secret, signal });
  }

  /** Replaces an account or a secret. @throws StatusError `Conflict` when it changed meanwhile. */
  async replace(object: Secret | ServiceAccount): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace = '', name = '' } = object.metadata;
    const resource = object.kind === 'Secret' ? 'secrets' : 'serviceaccounts';
    await client.send({ method: 'PUT', path: pathOf(resource, namespace, name), body: object, signal });
  }

  /** Removes this very secret. One that is gone, or another of its name, is left. */
  async deleteSecret({ metadata: { namespace = '', name = '', uid } }: Secret): Promise<void> {
    const { client, signal } = this.#context;
    const body = { preconditions: { uid } };
    try {
      await client.send({ method: 'DELETE', path: pathOf('secrets', namespace, name), body, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error;
    }
  }

  async #get<T>(path: string): Promise<T | undefined> {
    const { client, signal } = this.#context;
    try {
      return await client.json<T>({ method: 'GET', path, signal });
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}

const pathOf = (resource: string, namespace: string, name?: string): string =>
  resourcePath({ group: '', version: 'v1', resource, namespace, name });
