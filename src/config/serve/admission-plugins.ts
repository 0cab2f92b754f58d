import { nearestName } from '../nearest-name.ts';
import plugins from './admission-plugins.json' with { type: 'json' };

/** The flags that choose admission plugins. */
export interface AdmissionChoice {
  /** All there is, unless it is empty (`--admission-control`, of before there were the other two). */
  readonly admissionControl: readonly string[];
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
}

/** The admission plugins to run, in the order in which they run. */
export function effectiveAdmissionPlugins(choice: AdmissionChoice): readonly string[] {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = choice;
  const chosen = new Set(only.length > 0 ? only : [...plugins.defaultOn, ...enable]);
  for (const name of disable) chosen.delete(name);
  return Object.freeze(plugins.order.filter((name) => chosen.has(name)));
}

/** What is wrong with the choice, one sentence each. */
export function admissionPluginProblems(choice: AdmissionChoice): string[] {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = choice;
  const both = enable.filter((name) => disable.includes(name));
  return [
    ...(only.length > 0 && enable.length + disable.length > 0
      ? [
          'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
        ]
      : []),
    ...unknownNames('admission-control', only),
    ...unknownNames('enable-admission-plugins', enable),
    ...unknownNames('disable-admission-plugins', disable),
    ...[...new Set(both)].map(
      (name) => `${name} in enable-admission-plugins and disable-admission-plugins overlapped`,
    ),
  ];
}

function unknownNames(flag: string, names: readonly string[]): string[] {
  return names
    .filter((name) => !plugins.all.includes(name))
    .map((name) => {
      const near = nearestName(name, plugins.all);
      return `${flag} plugin ${JSON.stringify(name)} is unknown${near === undefined ? '' : `; did you mean ${near}?`}`;
    });
}
