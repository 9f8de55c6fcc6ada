import { test } from 'node:test'
import { everyTwoVerbs } from './pairs.ts'

test('every two verbs of liveness, in every order, with a drawn crash in each', (context) =>
  everyTwoVerbs(context, 'drawn'))
