import { Link } from "wouter"
import { CopyIconButton } from "./CopyButton.tsx"
import { type Action, Menu } from "./Menu.tsx"
import type { Column } from "./Table.tsx"

const Buttons = ({ actions }: { readonly actions: ReadonlyArray<Action> }) =>
  actions.map(({ href, label, onSelect, title }) =>
    href === undefined
      ? <button key={title} type="button" aria-label={label} onClick={onSelect}>{title}</button>
      : <Link key={title} className="button" aria-label={label} href={href}>{title}</Link>
  )

/** A menu, and before it a few buttons where there is room. */
export const Actions = ({ actions, of, shown = 2 }: {
  readonly of: string
  readonly actions: ReadonlyArray<Action>
  readonly shown?: number
}) => {
  const label = `Actions of ${of}`
  return (
    <>
      <span className="row-of wide-actions">
        <Buttons actions={actions.slice(0, shown)} />
        {actions.length > shown && <Menu label={label} actions={actions.slice(shown)} />}
      </span>
      <span className="narrow-actions">
        <Menu label={label} actions={actions} />
      </span>
    </>
  )
}

interface ActionsOfRow {
  readonly id: string
  readonly name: string
  readonly actions: ReadonlyArray<Action>
}

const RowActions = ({ actions, id, name }: ActionsOfRow) => {
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

/** The actions of a row, and its id to copy. */
export const actionsColumn = <Row extends object>(of: (row: Row) => ActionsOfRow): Column<Row> => ({
  title: "Actions",
  kind: "actions",
  cell: (row) => <RowActions {...of(row)} />
})
