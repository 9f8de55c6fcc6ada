import { test } from 'node:test'
import { everyTwoVerbs } from './pairs.ts'

test('every two verbs of liveness, in every order, with a crash in every place', (context) =>
  everyTwoVerbs(context, 'every'))
