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

function checkEndpoints({ values }: CheckContext): AgentProblem[] {
  const isRemote = values.containerRuntime === 'remote';
  const endpoints = [
    { flag: '--container-runtime-endpoint', text: values.containerRuntimeEndpoint },
    { flag: '--image-service-endpoint', text: values.imageServiceEndpoint },
    { flag: '--legacyrt-endpoint', text: values.legacyrtEndpoint },
  ];
  const problems = endpoints.flatMap(({ flag, text }): AgentProblem[] => {
    const scheme = /^([^:/]+):/.exec(text)?.[1];
    return scheme === undefined || ['unix', 'tcp'].includes(scheme)
      ? []
      : [
          {
            ...runProblem(`protocol "${scheme}" not supported`, flag),
            advice: 'give unix:///path or tcp://host:port',
          },
        ];
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

function checkLogSize({ values }: CheckContext): AgentProblem[] {
  const { containerLogMaxSize: text } = values;
  const refuse = (reason: string) => [
    createProblem(
      `failed to initialize container log manager: failed to parse container log max size "${text}": ${reason}`,
      '--container-log-max-size',
    ),
  ];
  try {
    const bytes = quantityValue(parseQuantity(text));
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
    const what = text.endsWith('*') ? `sysctls "${text}" are` : `sysctl "${text}" is`;
    return [createProblem(`the ${what} not known to be namespaced`, '--allowed-unsafe-sysctls')];
  });
}

function checkManifestUrl({ values }: CheckContext): AgentProblem[] {
  const { manifestUrl: text } = values;
  if (text === '' || (URL.canParse(text) && /^https?:/.test(text))) return [];
  return [createProblem(`staticPodURL "${text}" is not an http or https URL`, '--manifest-url')];
}
