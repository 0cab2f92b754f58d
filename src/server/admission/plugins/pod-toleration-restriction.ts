import { podQosClass } from '../../../apis/core/index.ts';
import type { Pod, Toleration } from '../../../apis/types/core-v1.ts';
import { errorText } from '../../../base/index.ts';
import { notFound, otherFailure } from '../../../machinery/errors/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';
import { readTolerations, TolerationsError } from '../tolerations.ts';
import { includesToleration, mergeTolerations } from './merge-tolerations.ts';

/**
 * PodTolerationRestriction: pods of a namespace get its default tolerations, and may have those of its whitelist only; a
 * configuration speaks for namespaces whose annotations say nothing. Source: "Using Admission Controllers";
 * `plugin/pkg/admission/podtolerationrestriction`.
 */
export function podTolerationRestriction({ dialect, read, options }: PluginSources): AdmissionPlugin {
  const names = {
    defaults: dialect.domain('scheduler.alpha', 'defaultTolerations'),
    whitelist: dialect.domain('scheduler.alpha', 'tolerationsWhitelist'),
  };
  const memoryPressure: Toleration = {
    key: dialect.domain('node', 'memory-pressure'),
    operator: 'Exists',
    effect: 'NoSchedule',
  };
  const { tolerationLists } = options;

  /** What the namespace says; undefined when it says nothing. */
  const annotated = async (namespace: string, name: string): Promise<readonly Toleration[] | undefined> => {
    const found = await read.currentNamespace(namespace);
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    const text = found.metadata.annotations?.[name];
    return text === undefined ? undefined : parseTolerations(text);
  };

  const check = async (namespace: string, { spec }: Pod): Promise<void> => {
    const tolerations = spec.tolerations ?? [];
    if (tolerations.length === 0) return;
    const own = await annotated(namespace, names.whitelist);
    const whitelist = own ?? tolerationLists?.whitelist ?? [];
    if (whitelist.length === 0) return;
    if (tolerations.every((given) => whitelist.some((allowed) => includesToleration(allowed, given)))) return;
    const scope = own === undefined ? 'cluster' : 'namespace';
    throw failure(
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
    );
  };

  return {
    name: 'PodTolerationRestriction',
    handles: onOperations('CREATE', 'UPDATE'),
    async admit(attributes) {
      const pod = podOf(attributes);
      if (pod === undefined) return;
      const { namespace, operation } = attributes;
      const added: Toleration[] = [];
      if (operation === 'CREATE') {
        added.push(...((await annotated(namespace, names.defaults)) ?? tolerationLists?.default ?? []));
      }
      if (podQosClass(pod.spec) !== 'BestEffort') added.push(memoryPressure);
      if (added.length > 0) {
        const merged = mergeTolerations(pod.spec.tolerations ?? [], added);
        pod.spec.tolerations = merged.map((toleration) => ({ ...toleration }));
      }
      await check(namespace, pod);
    },
    validate(attributes) {
      const pod = podOf(attributes);
      if (pod !== undefined) return check(attributes.namespace, pod);
    },
  };
}

/** An error without a reason, as plugins of release 1.20 return it. */
const failure = (message: string) => otherFailure(500, '', message);

/** @throws StatusError 500 for what is no list of tolerations, as in release 1.20. */
function parseTolerations(text: string): readonly Toleration[] {
  if (text === '') return [];
  try {
    return readTolerations(JSON.parse(text) ?? [], 'tolerations', { isStrict: false });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TolerationsError) throw failure(errorText(error));
    throw error;
  }
}
