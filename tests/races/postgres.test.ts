import { test } from 'node:test'
import { racePostgres } from './postgres-race.ts'
import { KEYS } from './rounds.ts'

test('64 racers on 64 connections on each of 900 keys, many a statement: PostgreSQL', () =>
  racePostgres({ by: 'many' }))

test('64 racers on 64 connections on each of 45 keys: PostgreSQL', () =>
  racePostgres({ by: 'single', keys: KEYS.slice(0, 45) }))
