import { partialObjectMetadata } from '../../apis/tables/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { NegotiatedEndpoint } from '../handlers/endpoint.ts';
import { encodeValue } from '../request/encode-value.ts';
import type { Exchange } from '../request/exchange.ts';
import { respond, respondStatus } from '../request/respond.ts';

/** Answers with an object that is not stored as it is: a scale, a review. `object` is in canonical form. */
export function writeValue(
  exchange: Exchange,
  { context, representation }: NegotiatedEndpoint,
  answer: { readonly code: number; readonly object: ApiObject },
): void {
  const { metaGroup, protobuf } = context;
  const { as, contentType, asVersion: version } = representation;
  const { code, object } = answer;
  const value =
    as === 'PartialObjectMetadata' ? partialObjectMetadata(object, { metaGroup, version }) : object;
  respond(exchange, { code, contentType, body: encodeValue(exchange, representation, { value, protobuf }) });
}

/** Answers a creation that leaves nothing to show. */
export function writeCreated(
  exchange: Exchange,
  { context, representation }: Pick<NegotiatedEndpoint, 'context' | 'representation'>,
): void {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  respondStatus(exchange, status, context, { given: representation });
}
