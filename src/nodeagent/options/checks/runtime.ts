import { quoteGo } from '../../../machinery/errors/index.ts';
import { parseQuantity, QuantityError, quantityValue } from '../../../machinery/values/index.ts';
import type { CheckContext } from '../check-context.ts';
import type { AgentProblem } from '../problem.ts';
import rules from '../sysctls.json' with { type: 'json' };
import { createProblem, runProblem } from './sentence.ts';

/** Endpoints, container logs and sysctls. */
export function checkRuntime(context: CheckContext): AgentProblem[] {
  return [
    ...checkEndpoints(context),
    ...checkLogSize(context),
    ...checkSysctls(context),
    ...checkManifestUrl(context),
  ];
}

/** How endpoints are written, by scheme. */
const schemeForms = { unix: 'unix:///path', tcp: 'tcp://host:port' } as const;

type Scheme = keyof typeof schemeForms;

function checkEndpoints({ values }: CheckContext): AgentProblem[] {
  const isRemote = values.containerRuntime === 'remote';
  const endpoints: readonly { flag: string; text: string; schemes: readonly Scheme[] }[] = [
    { flag: '--container-runtime-endpoint', text: values.containerRuntimeEndpoint, schemes: ['unix'] },
    { flag: '--image-service-endpoint', text: values.imageServiceEndpoint, schemes: ['unix'] },
    { flag: '--legacyrt-endpoint', text: values.legacyrtEndpoint, schemes: ['unix', 'tcp'] },
  ];
  const problems = endpoints.flatMap(({ flag, text, schemes }): AgentProblem[] => {
    const scheme = /^([^:/]+):/.exec(text)?.[1]?.toLowerCase();
    if (scheme === undefined || schemes.some((name) => name === scheme)) return [];
    const sentence =
      scheme === 'tcp' ? 'only support unix socket endpoint' : `protocol ${quoteGo(scheme)} not supported`;
    const forms = schemes.map((name) => schemeForms[name]);
    return [{ ...runProblem(sentence, flag), advice: `give ${forms.join(' or ')}` }];
  });
  if (isRemote && values.containerRuntimeEndpoint === '') {
    const text =
      'get remote runtime typed version failed: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix: missing address"';
    problems.push({ ...createProblem(text, '--container-runtime-endpoint'), advice: 'give unix:///path' });
  }
  return problems;
}

/** Endpoints without their scheme. */
export function runtimeWarnings({ values }: CheckContext): string[] {
  const { containerRuntimeEndpoint: runtime, imageServiceEndpoint: images } = values;
  return [...new Set(values.containerRuntime === 'remote' ? [runtime, images] : [])]
    .filter((text) => !/^[^:/]+:/.test(text))
    .map(
      (text) =>
        `Using "${text}" as endpoint is deprecated, please consider using full url format "unix://${text}".`,
    );
}

/** Sizes that release 1.20 takes: no fractions, even where they come to whole bytes. */
const wholeSize = /^[+-]?\d+(?:[KMGTPE]i|[kMGTPE]|[eE]\d+)?$/;

function checkLogSize({ values }: CheckContext): AgentProblem[] {
  const { containerLogMaxSize: text } = values;
  const refuse = (reason: string) => [
    createProblem(
      `failed to initialize container log manager: failed to parse container log max size ${quoteGo(text)}: ${reason}`,
      '--container-log-max-size',
    ),
  ];
  try {
    const quantity = parseQuantity(text);
    if (!wholeSize.test(text)) return refuse('invalid max log size');
    const bytes = quantityValue(quantity);
    return bytes < 0n ? refuse(`negative max log size ${bytes}`) : [];
  } catch (error) {
    if (error instanceof QuantityError) return refuse(error.message);
    throw error;
  }
}

const sysctl = new RegExp(`^${rules.pattern}$`);

function checkSysctls({ values }: CheckContext): AgentProblem[] {
  return values.allowedUnsafeSysctls.flatMap((text): AgentProblem[] => {
    if (text.length > rules.maxLength || !sysctl.test(text)) {
      const rule = `must have at most ${rules.maxLength} characters and match regex ${rules.pattern}`;
      return [createProblem(`sysctl "${text}" ${rule}`, '--allowed-unsafe-sysctls')];
    }
    const name = text.endsWith('*') ? text.slice(0, -1) : text;
    const isKnown =
      rules.namespaced.includes(name) || rules.namespacedPrefixes.some((prefix) => name.startsWith(prefix));
    if (isKnown) return [];
    const what = text.endsWith('*') ? 'sysctls' : 'sysctl';
    const sentence = `the ${what} ${quoteGo(text)} are not known to be namespaced`;
    return [createProblem(sentence, '--allowed-unsafe-sysctls')];
  });
}

function checkManifestUrl({ values }: CheckContext): AgentProblem[] {
  const { manifestUrl: text } = values;
  if (text === '' || (URL.canParse(text) && /^https?:/.test(text))) return [];
  return [createProblem(`staticPodURL "${text}" is not an http or https URL`, '--manifest-url')];
}
