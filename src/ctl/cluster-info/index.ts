/**
 * `ctl cluster-info`: where the server and its services are, and all there is to look at when something is wrong.
 */
import { loadColours } from '../../config/index.ts';
import type { Ctl } from '../ctl.ts';
import { UsageError } from '../errors.ts';
import { defineVerb } from '../verb.ts';

/** The verb. */
export const clusterInfoVerb = defineVerb({
  program: {
    name: 'ctl cluster-info',
    summary: 'Show where the server is',
    usage: '[flags]',
    options: [],
    examples: [{ command: 'ctl cluster-info dump', does: 'print objects and logs that tell what is wrong' }],
  },
  subverbs: { dump: async () => (await import('./dump.ts')).dumpVerb },
  async run(ctl, { args }) {
    if (args.length > 0) throw new UsageError(`unknown command ${JSON.stringify(args[0])}`);
    const { stdout, env } = ctl.io;
    const colours = await loadColours({ isTerminal: stdout.isTerminal, env: env });
    const connection = await ctl.connection();
    const services = await findServices(ctl);
    const product = ctl.dialect.apiServiceName.replace(/^./, (first) => first.toUpperCase());
    const lines = [{ name: `${product} control plane`, url: connection.server }, ...services];
    for (const { name, url } of lines) {
      stdout.write(`${colours.good(name)} is running at ${colours.caution(url)}\n`);
    }
    const command = ctl.dialect.spell('ctl');
    stdout.write(`\nTo further debug and diagnose cluster problems, use '${command} cluster-info dump'.\n`);
  },
});

interface ServiceDocument {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
  };
  readonly spec?: { readonly ports?: readonly { readonly name?: string; readonly port?: number }[] };
}

/** Services that belong to the cluster itself, with the address at which the server passes requests on to them. */
async function findServices(ctl: Ctl): Promise<{ name: string; url: string }[]> {
  const client = await ctl.client();
  const { systemNamespace } = ctl.dialect;
  const list = await client.json<{ items?: readonly ServiceDocument[] }>({
    method: 'GET',
    path: `/api/v1/namespaces/${systemNamespace}/services`,
    query: { labelSelector: `${ctl.dialect.label('cluster-service')}=true` },
    signal: ctl.io.signal,
  });
  return (list.items ?? []).map(({ metadata, spec }) => {
    const port = spec?.ports?.[0];
    const scheme = port?.port === 443 || port?.name === 'https' ? 'https:' : '';
    const suffix = port?.name ? `:${port.name}` : '';
    const path = `/api/v1/namespaces/${metadata?.namespace}/services/${scheme}${metadata?.name}${suffix}/proxy`;
    return {
      name: metadata?.labels?.[ctl.dialect.label('name')] ?? metadata?.name ?? '',
      url: client.server + path,
    };
  });
}
