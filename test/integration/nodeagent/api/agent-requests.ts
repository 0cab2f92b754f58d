import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { AgentServers, ServingPair } from '../../../../src/nodeagent/api/index.ts';
import { type AgentConfig, readAgentRequest } from '../../../../src/nodeagent/options/index.ts';
import { freePorts } from '../../../support/free-ports.ts';

/** What came back for a request. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SendOptions {
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Certificate of the client. */
  readonly certificate?: ServingPair | undefined;
}

/** A configuration with free ports, its folders below the given one. */
export async function agentConfig(folder: string, flags: readonly string[] = []): Promise<AgentConfig> {
  const [port, readOnlyPort, healthzPort] = await freePorts(3);
  const read = readAgentRequest({
    argv: [
      '--address=127.0.0.1',
      `--port=${port}`,
      `--read-only-port=${readOnlyPort}`,
      `--healthz-port=${healthzPort}`,
      `--root-dir=${folder}`,
      `--cert-dir=${folder}/pki`,
      `--pod-manifest-path=${folder}/manifests`,
      '--container-runtime=remote',
      '--container-runtime-endpoint=unix:///nowhere.sock',
      '--hostname-override=node1',
      ...flags,
    ],
    readFile: () => Buffer.alloc(0),
    workingDirectory: '/',
  });
  if (!('config' in read)) throw new Error('no configuration');
  return read.config;
}

/** Sends `METHOD /path`, or the same behind `readonly` or `healthz` to that port. */
export async function send(
  servers: AgentServers | undefined,
  text: string,
  { body, headers = {}, certificate }: SendOptions = {},
): Promise<Answer> {
  const [where = '', ...rest] = text.split(' ');
  const ports = { readonly: servers?.readOnlyPort, healthz: servers?.healthzPort };
  const isPlain = where === 'readonly' || where === 'healthz';
  const [method, path] = isPlain ? rest : [where, ...rest];
  const outgoing = (isPlain ? requestPlainly : requestSecurely)({
    host: '127.0.0.1',
    port: isPlain ? ports[where] : servers?.securePort,
    method,
    path,
    headers,
    agent: false,
    rejectUnauthorized: false,
    ...(certificate === undefined
      ? {}
      : { cert: certificate.certificatePem, key: certificate.privateKeyPem }),
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
