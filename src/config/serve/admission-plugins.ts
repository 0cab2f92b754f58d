import { nearestName } from '../nearest-name.ts';
import plugins from './admission-plugins.json' with { type: 'json' };

/** The two flags that choose admission plugins. */
export interface AdmissionChoice {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** The admission plugins to run, in the order in which they run. */
export function effectiveAdmissionPlugins({ enable, disable }: AdmissionChoice): readonly string[] {
  const chosen = new Set([...plugins.defaultOn, ...enable]);
  for (const name of disable) chosen.delete(name);
  return Object.freeze(plugins.order.filter((name) => chosen.has(name)));
}

/** What is wrong with the choice, one sentence each. */
export function admissionPluginProblems({ enable, disable }: AdmissionChoice): string[] {
  const both = enable.filter((name) => disable.includes(name));
  return [
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
