import { type FieldError, type FieldPath, invalidValue } from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { WindowsSecurityContextOptions } from '../../types/core-v1.ts';
import { isDns1123Subdomain } from '../../validation/index.ts';

const maxCredentialSpecKiB = 64;
const maxDomainBytes = 256;
const maxUserBytes = 104;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const controlCharacter = /[\u0000-\u001f\u007f]/;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const refusedInUser = /["/\\:;|=,+*?<>@[\]]/;
const onlyDotsAndSpaces = /^[. ]+$/;

/** Errors of the settings that only Windows nodes use. */
export function checkWindowsOptions(
  errors: FieldError[],
  options: WindowsSecurityContextOptions,
  path: FieldPath,
): void {
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    const problems = isDns1123Subdomain(gmsaCredentialSpecName);
    reportInvalid(errors, path.child('gmsaCredentialSpecName'), gmsaCredentialSpecName, problems);
  }
  if (gmsaCredentialSpec !== undefined) {
    const problems = credentialSpecProblems(gmsaCredentialSpec);
    reportInvalid(errors, path.child('gmsaCredentialSpec'), gmsaCredentialSpec, problems);
  }
  if (runAsUserName !== undefined) {
    for (const problem of userNameProblems(runAsUserName)) {
      errors.push(invalidValue(path.child('runAsUserName'), runAsUserName, `runAsUserName${problem}`));
    }
  }
}

function credentialSpecProblems(text: string): string[] {
  if (text === '') return ['gmsaCredentialSpec cannot be an empty string'];
  const isTooLong = Buffer.byteLength(text) > maxCredentialSpecKiB * 1024;
  return isTooLong ? [`gmsaCredentialSpec size must be under ${maxCredentialSpecKiB} KiB`] : [];
}

function userNameProblems(name: string): string[] {
  if (name === '') return [' cannot be an empty string'];
  if (controlCharacter.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [domain, user = ''] = parts.length === 1 ? [undefined, parts[0]] : parts;
  return [...domainProblems(domain), ...userProblems(user)];
}

function domainProblems(domain: string | undefined): string[] {
  if (domain === undefined) return [];
  const problems: string[] = [];
  if (Buffer.byteLength(domain) >= maxDomainBytes) {
    problems.push(`'s Domain length must be under ${maxDomainBytes} characters`);
  }
  if (!netBiosName.test(domain) && !dnsDomain.test(domain)) {
    problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}

function userProblems(user: string): string[] {
  const problems: string[] = [];
  if (user === '') problems.push("'s User cannot be empty");
  else if (Buffer.byteLength(user) > maxUserBytes) {
    problems.push(`'s User length must not be longer than ${maxUserBytes} characters`);
  }
  if (onlyDotsAndSpaces.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (refusedInUser.test(user)) {
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}
