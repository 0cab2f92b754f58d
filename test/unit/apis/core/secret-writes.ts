import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const secretWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sec-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      type: 'example.com/custom',
      immutable: false,
      data: { user: 'YWRtaW4=', empty: '' },
      stringData: { extra: 'plain' },
    },
    accepted: [{ '/type': 'Bogus' }, { '/immutable': undefined }],
    refused: [
      [
        { '/metadata/labels': { ['a'.repeat(64)]: 'sample' } },
        [`metadata.labels: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`],
      ],
      [
        { '/metadata/ownerReferences': [null] },
        [
          'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
          'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
          'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
          'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
        ],
      ],
      [
        { '/stringData': { '': 'sample' }, '/metadata/generateName': '-abc' },
        [
          `metadata.generateName: Invalid value: "-abc": ${subdomain1123}`,
          "data[]: Invalid value: \"\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ],
      ],
      [
        { '/stringData': { 'A.b/k': 'v' }, '/metadata/generateName': '-abc' },
        [
          `metadata.generateName: Invalid value: "-abc": ${subdomain1123}`,
          "data[A.b/k]: Invalid value: \"A.b/k\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ],
      ],
    ],
    kept: [
      [{ '/type': '../x' }, ['type: Invalid value: "../x": field is immutable']],
      [
        { '/data': { 'bad key!': 'YWI=' } },
        [
          "data[bad key!]: Invalid value: \"bad key!\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sec-tls', labels: { app: 'web' }, annotations: { note: 'one' } },
      type: 'orch.io/tls',
      data: { 'tls.crt': 'YQ==', 'tls.key': 'Yg==' },
    },
    refused: [[{ '/metadata/name': 'a/b' }, [`metadata.name: Invalid value: "a/b": ${subdomain1123}`]]],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sec-ba', labels: { app: 'web' }, annotations: { note: 'one' } },
      type: 'orch.io/basic-auth',
      data: { username: 'YQ==' },
    },
    accepted: [{ '/type': '-abc' }],
    refused: [
      [
        { '/stringData': { 'A.b/k': 'v' } },
        [
          "data[A.b/k]: Invalid value: \"A.b/k\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ],
      ],
    ],
    kept: [[{ '/data': {} }, ['data[%s][username]: Required value', 'data[%s][password]: Required value']]],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sec-ssh', labels: { app: 'web' }, annotations: { note: 'one' } },
      type: 'orch.io/ssh-auth',
      data: { 'ssh-privatekey': 'YQ==' },
    },
    accepted: [{ '/metadata/name': 'a'.repeat(63) }, { '/metadata/name': '1a' }],
    refused: [
      [
        { '/metadata/labels': { k: 'a'.repeat(70) } },
        [`metadata.labels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`],
      ],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
    ],
    changed: [{ '/immutable': true }],
  },
  {
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'sec-dc', labels: { app: 'web' }, annotations: { note: 'one' } },
      type: 'orch.io/dockerconfigjson',
      data: { '.dockerconfigjson': 'e30=' },
    },
    changed: [{ '/immutable': true }],
  },
];
