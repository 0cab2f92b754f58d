/**
 * What keeps the information and the tokens with which nodes join: signatures of the config map `cluster-info`, and the end
 * of tokens that have expired. It makes neither. Source: release 1.20, `pkg/controller/bootstrap`.
 */

import { createHmac } from 'node:crypto';
import type { ConfigMap } from '../../apis/types/core-v1.ts';
import { startInformer } from '../../client/informer/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { createWorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { Controller } from '../controller.ts';
import { followOptions } from '../follow-options.ts';
import { followTokens, type SigningToken, signingTokenOf } from './tokens.ts';

const name = 'cluster-info';
const retries = { firstRetryMs: 50, maxRetryMs: 30_000 };

/** Keys of the config map: what is signed, and what the keys of signatures begin with. */
export interface ClusterInfoKeys {
  readonly content: string;
  readonly signaturePrefix: string;
}

/**
 * The signature of a text by a bootstrap token: a compact JWS (RFC 7515) with HS256 whose payload is left out
 * (appendix F), so that whoever has the token knows that the text is its server's.
 */
export function signDetached(content: string, { id, secret }: SigningToken): string {
  const encode = (text: string): string => Buffer.from(text).toString('base64url');
  const header = encode(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${encode(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

/** The data of the config map with a signature for each token and no other; undefined when it has just these. Pure. */
export function decideSignatures(
  data: Readonly<Record<string, string>>,
  tokens: readonly SigningToken[],
  { content: contentKey, signaturePrefix }: ClusterInfoKeys,
): Readonly<Record<string, string>> | undefined {
  const content = data[contentKey];
  if (content === undefined) return undefined;
  const entries = Object.entries(data);
  const others = entries.filter(([key]) => !key.startsWith(signaturePrefix));
  const signed = Object.fromEntries([
    ...others,
    ...tokens.map((token) => [signaturePrefix + token.id, signDetached(content, token)]),
  ]);
  const isSame =
    Object.keys(signed).length === entries.length && entries.every(([key, value]) => signed[key] === value);
  return isSame ? undefined : signed;
}

/** Signs the config map that tells joining nodes about the server, with every bootstrap token that may. */
export const bootstrapSigningController: Controller = {
  name: 'bootstrapsigner',
  async run(context) {
    const { client, dialect, clock, random, signal, logger } = context;
    const keys = { content: dialect.spell('orchconfig'), signaturePrefix: dialect.spell('jws-orchconfig-') };
    const namespace = dialect.publicNamespace;
    const collection = { group: '', version: 'v1', resource: 'configmaps', namespace };
    const add = (): void => queue.add(name);
    const maps = startInformer<ConfigMap>({
      ...followOptions(context),
      resource: collection,
      namespace,
      fieldSelector: `metadata.name=${name}`,
      onAdd: add,
      onUpdate: add,
    });
    const secrets = followTokens(context, { onAdd: add, onUpdate: add, onDelete: add });
    const queue = createWorkQueue<string>({
      async work() {
        await Promise.all([maps.whenSynced, secrets.whenSynced]);
        const map = maps.get(namespace, name);
        const tokens = secrets.list().flatMap((secret) => signingTokenOf(secret, clock.nowMs()) ?? []);
        const data = map && decideSignatures(map.data ?? {}, tokens, keys);
        if (data === undefined) return;
        const path = resourcePath({ ...collection, name });
        await client.send({ method: 'PUT', path, body: { ...map, data }, signal });
      },
      ...retries,
      metrics: context.queueMetrics,
      random,
      clock,
      signal,
      onError(error) {
        if (isReason(error, 'Conflict')) logger.debug('cluster information changed meanwhile');
        else logger.error('cluster information was not signed', { error });
      },
    });
    await Promise.all([maps.done, secrets.done, queue.done]);
  },
};
