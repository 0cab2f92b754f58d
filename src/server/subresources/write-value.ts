import { partialObjectMetadata } from '../../apis/tables/index.ts';
import { writeYaml } from '../../machinery/codec/index.ts';
import type { Status } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { HandlerContext } from '../handlers/endpoint.ts';
import type { Exchange } from '../request/exchange.ts';
import { respond, respondStatus } from '../request/respond.ts';

const newline = Buffer.from('\n');

/** Answers with an object that is not stored as it is: a scale, a review. `object` is in canonical form. */
export function writeValue(
  exchange: Exchange,
  context: HandlerContext,
  answer: { readonly code: number; readonly object: ApiObject },
): void {
  const { negotiator, metaGroup } = context;
  const {
    encoding,
    contentType,
    as,
    asVersion: version,
  } = negotiator.choose(exchange.request.headers.accept);
  const { code, object } = answer;
  const value =
    as === 'PartialObjectMetadata' ? partialObjectMetadata(object, { metaGroup, version }) : object;
  const body =
    encoding === 'yaml'
      ? Buffer.from(writeYaml(value))
      : Buffer.concat([Buffer.from(JSON.stringify(value)), newline]);
  respond(exchange, { code, contentType, body });
}

/** Answers a creation that leaves nothing to show. */
export function writeCreated(exchange: Exchange): void {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  respondStatus(exchange, status);
}
