import { asText, isJsonObject, isStrings } from '../../base/index.ts';
import { ClientConfigError, type ExecEntry, type UserEntry } from './model.ts';

/** The program of a user, checked. @throws ClientConfigError as the release's client words it */
export function readExec({ exec = {}, authProvider }: UserEntry, user: string): ExecEntry {
  const fail = (text: string): never => {
    throw new ClientConfigError(text);
  };
  if (authProvider !== undefined)
    fail(`authProvider cannot be provided in combination with an exec plugin for ${user}`);
  const plugin = `for ${user} to use exec authentication plugin`;
  const { command, apiVersion, args, installHint, provideClusterInfo } = exec;
  if (typeof command !== 'string' || command === '') fail(`command must be specified ${plugin}`);
  if (typeof apiVersion !== 'string' || apiVersion === '') fail(`apiVersion must be specified ${plugin}`);
  if (args !== undefined && args !== null && !isStrings(args))
    fail(`args must be a list of strings ${plugin}`);
  const variables = exec.env ?? [];
  if (!Array.isArray(variables)) return fail(`env must be a list ${plugin}`);
  const env = variables.map((variable: unknown): readonly [string, string] => {
    const name = isJsonObject(variable) ? asText(variable.name) : '';
    if (name === '') fail(`env variable name must be specified ${plugin}`);
    return [name, asText(isJsonObject(variable) ? variable.value : undefined)];
  });
  return {
    command: asText(command),
    apiVersion: asText(apiVersion),
    args: isStrings(args) ? args : [],
    env: Object.fromEntries(env),
    installHint: asText(installHint) || undefined,
    provideClusterInfo: provideClusterInfo === true,
  };
}
