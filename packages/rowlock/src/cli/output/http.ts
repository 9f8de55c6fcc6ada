/** A value as it comes over HTTP: instants (names that end in At or Until) are ISO 8601. */
export type OverHttp<Value> = Value extends readonly (infer Item)[]
  ? readonly OverHttp<Item>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]: Name extends `${string}At` | `${string}Until`
          ? Instant<Value[Name]>
          : OverHttp<Value[Name]>
      }
    : Value

type Instant<Value> = Value extends number ? string : Value
