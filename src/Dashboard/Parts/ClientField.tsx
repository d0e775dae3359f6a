import type { ComponentProps } from "react"
import { namedOptions, type Option, SelectField } from "./Select.tsx"

interface Props extends Pick<ComponentProps<typeof SelectField>, "error" | "help" | "onChange" | "value"> {
  /** `undefined` until they are loaded. */
  readonly clients: ReadonlyArray<{ readonly id: string; readonly name: string }> | undefined
  readonly others?: ReadonlyArray<Option>
}

export const ClientField = ({ clients = [], others = [], ...field }: Props) => (
  <SelectField
    label="Client"
    required
    emptyTitle="Choose a client"
    options={[...namedOptions(clients), ...others]}
    {...field}
  />
)
