import type { Readable } from 'node:stream';
import { chunksOf } from '../../../base/index.ts';
import {
  badRequest,
  internalError,
  otherFailure,
  type StatusError,
} from '../../../machinery/errors/index.ts';

/** How much of an answer's text is passed on. Source: release 1.20. */
const maxTextBytes = 50_000;

/** Reason and text that stand for a status code, whatever the agent wrote. Source: release 1.20. */
const meanings: Readonly<Record<number, readonly [reason: string, text: string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/** Codes whose text is the agent's own. */
const ownTexts: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  406: 'NotAcceptable',
  415: 'UnsupportedMediaType',
};

/** Reads what an agent says about its failure, and no more than clients are shown of it. */
export async function readFailureText(answer: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of chunksOf(answer)) {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= maxTextBytes) break;
    }
  } catch {
    // What came before the connection broke tells more than the break.
  }
  return Buffer.concat(chunks).subarray(0, maxTextBytes).toString();
}

/** The error that clients get for an agent's failed answer. `resource` and `name` say what was asked for. */
export function agentFailure(
  code: number,
  text: string,
  { resource, name }: { readonly resource: string; readonly name: string },
): StatusError {
  if (code === 500) return internalError(text);
  if (code === 400) return badRequest(text);
  const [reason, message] = meaningOf(code, text);
  // The empty place is the verb's, which release 1.20 does not fill here.
  return otherFailure(code, reason, `${message} ( ${resource} ${name})`, { name, kind: resource });
}

function meaningOf(code: number, text: string): readonly [reason: string, text: string] {
  const known = meanings[code];
  if (known !== undefined) return known;
  const own = ownTexts[code];
  if (own !== undefined) return [own, text];
  if (code >= 500) {
    return [
      'InternalError',
      `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
    ];
  }
  return ['', `the server responded with the status code ${code} but did not return more information`];
}
