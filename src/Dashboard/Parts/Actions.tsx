import { Link } from "wouter"
import { CopyIconButton } from "./CopyButton.tsx"
import { type Action, Menu } from "./Menu.tsx"

const Buttons = ({ actions }: { readonly actions: ReadonlyArray<Action> }) =>
  actions.map(({ href, label, onSelect, title }) =>
    href === undefined
      ? <button key={title} type="button" aria-label={label} onClick={onSelect}>{title}</button>
      : <Link key={title} className="button" aria-label={label} href={href}>{title}</Link>
  )

/** Buttons where there is room, one menu on a phone. */
export const Actions = ({ actions, of }: { readonly of: string; readonly actions: ReadonlyArray<Action> }) => (
  <>
    <span className="row-of wide-actions">
      <Buttons actions={actions} />
    </span>
    <span className="narrow-actions">
      <Menu label={`Actions of ${of}`} actions={actions} />
    </span>
  </>
)

/** The actions of a row, and its id to copy. */
export const RowActions = ({ actions, id, name }: {
  readonly id: string
  readonly name: string
  readonly actions: ReadonlyArray<Action>
}) => {
  const copy = { title: "Copy the id", onSelect: () => void navigator.clipboard.writeText(id) }
  return (
    <>
      <span className="row-of wide-actions">
        <Buttons actions={actions} />
        <CopyIconButton text={id} what={`the id of ${name}`} />
      </span>
      <span className="narrow-actions">
        <Menu label={`Actions of ${name}`} actions={[...actions, copy]} />
      </span>
    </>
  )
}
