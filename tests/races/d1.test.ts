import { test } from 'node:test'
import { raceD1 } from './d1-race.ts'

test('64 racers on each of 900 keys, many a statement: D1 inside workerd', () => raceD1('many', 900))
