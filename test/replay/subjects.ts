import { once } from 'node:events';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { AgentProcess } from './agent-process.ts';
import { type ApiAccess, callApi } from './call-api.ts';
import type { ApiObject, RecordedEvent } from './recording.ts';
import type { Subject } from './subject.ts';

const noApi = (): never => {
  throw new Error('there is no API server in this case');
};

/** Pods from files, as the read-only port shows them. */
export function fileSubject(agent: AgentProcess): Subject {
  return {
    async put(fileName, text) {
      const staging = join(agent.folder, 'staging');
      await mkdir(staging, { recursive: true });
      await writeFile(join(staging, fileName), text);
      await rename(join(staging, fileName), join(agent.manifests, fileName));
    },
    remove: (fileName) => rm(join(agent.manifests, fileName), { force: true }),
    urlGone: noApi,
    apply: noApi,
    delete: noApi,
    events: noApi,
    async pod(name) {
      const { items } = (await agent.readOnly('/pods')) as { items: readonly ApiObject[] | null };
      return (items ?? []).find(({ metadata }) => metadata.name === name);
    },
    log: (pod, container, previous) => readLog(agent, pod, container, previous),
  };
}

/** What an agent's manifest URL serves. */
export class ManifestUrl {
  readonly #server: Server;
  text = '';
  status = 200;

  constructor() {
    this.#server = createServer((_request, answer) => {
      answer.statusCode = this.status;
      answer.end(this.text);
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/pods.yaml`;
  }

  close(): void {
    this.#server.close();
  }
}

/** Pods from a URL. */
export function urlSubject(agent: AgentProcess, url: ManifestUrl): Subject {
  return {
    ...fileSubject(agent),
    async put(_fileName, text) {
      url.status = 200;
      url.text = text;
    },
    async remove() {
      url.text = '';
    },
    urlGone() {
      url.status = 404;
    },
  };
}

/** Pods of an API server; manifests that are put become files when the case is about mirror pods. */
export function apiSubject(agent: AgentProcess, server: ApiAccess, isMirror: boolean): Subject {
  const pods = '/api/v1/namespaces/default/pods';
  const call = (method: string, path: string, body?: object, contentType = 'application/json') =>
    callApi(server, { method, path, body, contentType });
  const apply = async (object: ApiObject): Promise<void> => {
    const resource = `${object.kind.toLowerCase()}s`;
    const folder = `/api/v1/namespaces/default/${resource}`;
    const path = `${folder}/${object.metadata.name}`;
    const found = await call('GET', path);
    const answer =
      found.status === 200
        ? await call('PATCH', path, object, 'application/strategic-merge-patch+json')
        : await call('POST', folder, object);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  };
  const file = fileSubject(agent);
  return {
    ...file,
    async put(fileName, text) {
      if (isMirror) return file.put(fileName, text);
      // The file is this project's own recording.
      await apply(load(text) as ApiObject);
    },
    apply,
    async delete(pod, options) {
      const answer = await call('DELETE', `${pods}/${pod}`, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        ...options,
      });
      if (answer.status >= 300) throw new Error(`delete ${pod}: ${JSON.stringify(answer.body)}`);
    },
    async pod(name) {
      const { status, body } = await call('GET', `${pods}/${name}`);
      return status === 200 ? body : undefined;
    },
    async events(pod) {
      const { body } = await call(
        'GET',
        `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${pod}`,
      );
      const { items = [] } = body as { items?: readonly ListedEvent[] };
      return items.map(({ type, reason, message, involvedObject }) => {
        return { type, reason, message, fieldPath: involvedObject.fieldPath ?? '' };
      });
    },
  };
}

interface ListedEvent extends Omit<RecordedEvent, 'fieldPath'> {
  readonly involvedObject: { readonly fieldPath?: string };
}

async function readLog(
  agent: AgentProcess,
  pod: string,
  container: string,
  previous: boolean,
): Promise<string> {
  const query = previous ? '?previous=true' : '';
  const { text } = await agent.get(`/containerLogs/default/${pod}/${container}${query}`);
  return text;
}
