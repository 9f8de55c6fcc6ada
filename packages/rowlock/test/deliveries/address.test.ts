import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddress, isPrivateAddress, isPrivateName } from '../../src/deliveries/address.ts'

const privateOnes = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:0a00:0001::1',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '100::1',
  '5f00::1',
]
const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '[2606:4700::1111]',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:0808:0808::1',
]

test('addresses that are not on the public internet', () => {
  for (const address of privateOnes) assert.equal(isPrivateAddress(address), true, address)
  for (const address of publicOnes) assert.equal(isPrivateAddress(address), false, address)
})

test('what is no address is not taken for a public one', () => {
  for (const text of [
    '',
    'example.com',
    '1.2.3',
    '1.2.3.256',
    '::1::',
    '1:2:3:4:5:6:7:8:9',
    'g::1',
    '1.2.3.4.5',
    ':::',
  ]) {
    assert.equal(isAddress(text), false, text)
    assert.equal(isPrivateAddress(text), true, text)
  }
})

test('other spellings of an address are made plain by the URL parser before they are judged', () => {
  for (const url of [
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
  ]) {
    assert.equal(isPrivateAddress(new URL(url).hostname), true, url)
  }
})

test('names of this machine and this network', () => {
  for (const name of [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer.local',
    'db.internal',
    'intranet',
    'x.home.arpa',
  ]) {
    assert.equal(isPrivateName(name), true, name)
  }
  for (const name of ['example.com', 'localhost.example.com', 'local.example', 'internal.example.com']) {
    assert.equal(isPrivateName(name), false, name)
  }
})
