import type { Scale } from '../apis/types/autoscaling-v1.ts';
import { errorText } from '../base/index.ts';
import { createResourceMapper, type DiscoveredResource } from '../client/discovery/index.ts';
import { resourcePath } from '../client/rest/index.ts';
import { StatusError } from '../machinery/errors/index.ts';
import { formatGroupResource } from '../machinery/schema/index.ts';
import type { ControllerContext } from './controller.ts';

/** Discovery may be so old before a kind counts as unknown. Source: release 1.20, the controller manager's mapper. */
const maxDiscoveryAgeMs = 30_000;

/** A kind as owner references and targets of autoscalers name it. */
export interface ScalableKind {
  readonly group: string;
  /** Empty: the preferred one. */
  readonly version: string;
  readonly kind: string;
}

/** One object that may have a scale. */
export interface ScalableObject {
  readonly resource: Pick<DiscoveredResource, 'group' | 'version' | 'name'>;
  readonly namespace: string;
  readonly name: string;
}

/** The sizes of objects of any kind that has a `scale` subresource. */
export class Scales {
  readonly #context: Pick<ControllerContext, 'client' | 'discovery' | 'clock' | 'signal'>;

  constructor(context: Pick<ControllerContext, 'client' | 'discovery' | 'clock' | 'signal'>) {
    this.#context = context;
  }

  /** The resource of a kind; undefined when the server has no such kind. @throws StatusError or TransportError */
  async findResource(kind: ScalableKind): Promise<DiscoveredResource | undefined> {
    const { discovery, clock } = this.#context;
    const known = await discovery.read(clock.nowMs() - maxDiscoveryAgeMs);
    return createResourceMapper(known).findKind(kind);
  }

  /** @throws StatusError NotFound also when the resource has no scale */
  async get(object: ScalableObject): Promise<Scale> {
    const { client, signal } = this.#context;
    return client.json<Scale>({ method: 'GET', path: scalePath(object), signal });
  }

  /** Gives an object another size. @throws StatusError Conflict when it changed since the scale was read */
  async put(object: ScalableObject, scale: Scale): Promise<void> {
    const { client, signal } = this.#context;
    await client.send({ method: 'PUT', path: scalePath(object), body: scale, signal });
  }
}

const scalePath = ({
  resource: { group, version, name: resource },
  namespace,
  name,
}: ScalableObject): string => `${resourcePath({ group, version, resource, namespace, name })}/scale`;

/** What a failed request asked for. */
export interface AskedFor {
  /** Empty: none is named. */
  readonly group: string;
  readonly resource: string;
  readonly name?: string | undefined;
}

/** What went wrong with a read: an answer that does not speak for itself is told with what was asked for, as client-go tells it. */
export function explainFailure(error: unknown, { group, resource, name = '' }: AskedFor): string {
  const text = errorText(error);
  if (!(error instanceof StatusError)) return text;
  const { causes = [], kind } = error.status.details ?? {};
  const isGeneric = kind === undefined && causes.some(({ reason }) => reason === 'UnexpectedServerResponse');
  if (!isGeneric) return text;
  return `${text} (get ${formatGroupResource({ group, resource })}${name === '' ? '' : ` ${name}`})`;
}
