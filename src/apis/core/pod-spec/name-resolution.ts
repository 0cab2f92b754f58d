import { type FieldError, type FieldPath, invalidValue, required } from '../../../machinery/errors/index.ts';
import { reportInvalid } from '../../reporting.ts';
import type { HostAlias, PodDNSConfig, PodSpec } from '../../types/core-v1.ts';
import { goStringList, isDns1123Subdomain, isIpText } from '../../validation/index.ts';

const maxNameservers = 3;
const maxSearches = 6;
const maxSearchBytes = 256;

/** Errors of the resolver settings; the policy `None` must bring its own servers. */
export function checkDnsConfig(errors: FieldError[], spec: PodSpec, path: FieldPath): void {
  const config = spec.dnsConfig;
  if (spec.dnsPolicy === 'None') {
    if (!config) {
      errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if ((config.nameservers ?? []).length === 0) {
      const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      errors.push(required(path.child('nameservers'), detail));
      return;
    }
  }
  if (config) checkConfig(errors, config, path);
}

function checkConfig(errors: FieldError[], config: PodDNSConfig, path: FieldPath): void {
  const { nameservers = [], searches = [], options = [] } = config;
  const serversPath = path.child('nameservers');
  if (nameservers.length > maxNameservers) {
    const detail = `must not have more than ${maxNameservers} nameservers`;
    errors.push(invalidValue(serversPath, goStringList(nameservers), detail));
  }
  for (const [position, server] of nameservers.entries()) {
    if (isIpText(server)) continue;
    errors.push(invalidValue(serversPath.index(position), server, 'must be valid IP address'));
  }
  checkSearches(errors, searches, path.child('searches'));
  for (const [position, option] of options.entries()) {
    if (!option.name) errors.push(required(path.child('options').index(position), 'must not be empty'));
  }
}

function checkSearches(errors: FieldError[], searches: readonly string[], path: FieldPath): void {
  const reject = (limit: string): void => {
    errors.push(invalidValue(path, goStringList(searches), `must not have more than ${limit}`));
  };
  if (searches.length > maxSearches) reject(`${maxSearches} search paths`);
  if (Buffer.byteLength(searches.join(' ')) > maxSearchBytes) {
    reject(`${maxSearchBytes} characters (including spaces) in the search list`);
  }
  for (const [position, search] of searches.entries()) {
    const name = search.endsWith('.') ? search.slice(0, -1) : search;
    reportInvalid(errors, path.index(position), name, isDns1123Subdomain(name));
  }
}

/** Errors of additional lines in the hosts file. Items are not numbered in paths, as in release 1.20. */
export function checkHostAliases(errors: FieldError[], aliases: readonly HostAlias[], path: FieldPath): void {
  for (const { ip = '', hostnames } of aliases) {
    if (!isIpText(ip)) errors.push(invalidValue(path.child('ip'), ip, 'must be valid IP address'));
    for (const name of hostnames ?? []) {
      reportInvalid(errors, path.child('hostnames'), name, isDns1123Subdomain(name));
    }
  }
}
