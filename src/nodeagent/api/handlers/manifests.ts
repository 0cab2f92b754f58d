import type { SubmittedPods } from '../../sources/index.ts';
import type { AgentHandler } from '../http/exchange.ts';
import { BodyTooLargeError, readBody, sendBody, sendJson, sendText } from '../http/respond.ts';
import type { ServiceRoute } from '../http/router.ts';
import { podList } from './pods.ts';

/** Pods that are submitted to the agent itself: `POST` a Pod or PodList, `GET` all of them, `DELETE` one. */
export function manifestRoutes(submitted: SubmittedPods): ServiceRoute[] {
  return [
    { methods: ['GET'], template: '', handler: (exchange) => sendJson(exchange, podList(submitted.list())) },
    { methods: ['POST'], template: '', handler: handleSubmit(submitted) },
    { methods: ['DELETE'], template: '{namespace}/{name}', handler: handleRemove(submitted) },
  ];
}

function handleSubmit(submitted: SubmittedPods): AgentHandler {
  return async (exchange) => {
    try {
      const pods = await submitted.submit(await readBody(exchange));
      sendBody(exchange, 201, { 'Content-Type': 'application/json' }, podList(pods));
    } catch (error) {
      const status = refusalStatus(error);
      if (status === undefined || !(error instanceof Error)) throw error;
      sendText(exchange, status, error.message);
    }
  };
}

function handleRemove(submitted: SubmittedPods): AgentHandler {
  return async (exchange, { namespace = '', name = '' }) => {
    const removed = await submitted.remove(namespace, name);
    if (removed === undefined)
      sendText(exchange, 404, `pod "${name}" was not submitted in namespace "${namespace}"`);
    else sendJson(exchange, podList([removed]));
  };
}

/** A manifest that says something impossible is told from what is no manifest. */
function refusalStatus(error: unknown): number | undefined {
  if (error instanceof BodyTooLargeError) return 413;
  // Recognised by what only a ManifestError has: its folder is loaded when there is a source.
  if (error instanceof Error && 'isDecoded' in error) return error.isDecoded === true ? 422 : 400;
  return undefined;
}
