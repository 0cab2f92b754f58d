import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { createGenerated, generatorOptions, takeName } from './generate.ts';

/** `ctl create ingress`. */
export const ingressVerb = defineVerb({
  program: {
    name: 'ctl create ingress',
    summary: 'Create an ingress',
    usage:
      'NAME (--rule=[HOST]/PATH=SERVICE:PORT[,tls[=SECRET]]... | --default-backend=SERVICE:PORT) [flags]',
    description: ['A path that ends in * is a prefix, any other is taken exactly.'],
    options: [
      {
        name: 'rule',
        type: 'stringArray',
        section: 'Object',
        help: 'Where requests for a host and path go, and whether they come over TLS.',
      },
      {
        name: 'default-backend',
        type: 'string',
        valueName: 'SERVICE:PORT',
        section: 'Object',
        help: 'Where all others go.',
      },
      { name: 'class', type: 'string', section: 'Object', help: 'Class of the ingress.' },
      {
        name: 'annotation',
        type: 'stringArray',
        valueName: 'KEY=VALUE',
        section: 'Object',
        help: 'Annotation of the ingress.',
      },
      ...generatorOptions,
    ],
    examples: [
      {
        command: "ctl create ingress web --rule='example.com/*=web:80,tls=web-cert'",
        does: 'one host with TLS',
      },
      { command: 'ctl create ingress all --default-backend=web:http', does: 'everything to one service' },
    ],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    const { rule, defaultBackend, annotation } = options;
    if (rule.length === 0 && !defaultBackend) {
      throw new CtlError(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      );
    }
    const rules = rule.map(parseRule);
    const tls = joinTls(rules);
    return createGenerated(ctl, options, {
      apiVersion: `${ctl.dialect.group('networking')}/v1`,
      kind: 'Ingress',
      metadata: { name, ...(annotation.length > 0 ? { annotations: parseAnnotations(annotation) } : {}) },
      spec: {
        ...(options.class ? { ingressClassName: options.class } : {}),
        ...(defaultBackend ? { defaultBackend: parseDefaultBackend(defaultBackend) } : {}),
        ...(rules.length > 0 ? { rules: joinRules(rules) } : {}),
        ...(tls.length > 0 ? { tls } : {}),
      },
      status: { loadBalancer: {} },
    });
  },
});

/** One `--rule`. */
interface Rule {
  readonly host: string;
  readonly path: object;
  /** Undefined without TLS; empty for the certificate that the controller has. */
  readonly secret: string | undefined;
}

// Host and path, then service and port; what follows is about TLS. Source: release 1.20's client.
const rulePattern = /^(?<host>[\w*\-.]*)(?<path>\/.*?)=(?<backend>[A-Za-z0-9-]+:[\w-]+)/;

function parseRule(text: string): Rule {
  const groups = rulePattern.exec(text)?.groups;
  if (groups === undefined) {
    throw new CtlError(
      `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
    );
  }
  const { host = '', path = '', backend = '' } = groups;
  const [, tls, ...others] = text.split(',');
  const isPrefix = path.endsWith('*');
  return {
    host,
    path: {
      path: isPrefix ? path.slice(0, -1) : path,
      pathType: isPrefix ? 'Prefix' : 'Exact',
      backend: parseBackend(backend),
    },
    secret: tls === undefined || others.length > 0 ? undefined : (tls.split('=')[1] ?? ''),
  };
}

function parseBackend(text: string) {
  const [name = '', port = ''] = text.split(':');
  return { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

function parseDefaultBackend(text: string) {
  if (text.split(':').length !== 2) {
    throw new CtlError('default-backend should be in format servicename:serviceport');
  }
  return parseBackend(text);
}

function parseAnnotations(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new CtlError(`annotation ${text} is invalid and should be in format key=value`);
      return [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );
}

/** Paths of one host stand together, in the order in which hosts came. */
function joinRules(rules: readonly Rule[]) {
  return [...Map.groupBy(rules, ({ host }) => host)].map(([host, group]) => ({
    ...(host === '' ? {} : { host }),
    http: { paths: group.map(({ path }) => path) },
  }));
}

/** Hosts of one certificate stand together; the first rule of a host says which one it has. */
function joinTls(rules: readonly Rule[]) {
  const withTls = rules.filter(({ secret }) => secret !== undefined);
  const firsts = withTls.filter((rule, at) => withTls.findIndex(({ host }) => host === rule.host) === at);
  return [...Map.groupBy(firsts, ({ secret }) => secret)]
    .map(([secretName, group]) => ({
      secretName,
      hosts: group.map(({ host }) => host).filter((host) => host !== ''),
    }))
    .filter(({ secretName, hosts }) => secretName || hosts.length > 0)
    .map(({ secretName, hosts }) => ({
      ...(hosts.length > 0 ? { hosts } : {}),
      ...(secretName ? { secretName } : {}),
    }));
}
