import { test } from 'node:test'
import { everyTwoVerbs } from './liveness-pairs.ts'

test('every two verbs that overlap: no false down, one open row, one alert, nobody in a circle', (context) =>
  everyTwoVerbs(context, 60))
