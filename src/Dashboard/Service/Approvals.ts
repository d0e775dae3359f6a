import { Effect } from "effect"
import { allPages, useServiceMutation, useServiceQuery } from "./Queries.ts"

export const useApprovals = () =>
  useServiceQuery(
    ["approvals"],
    ({ approvals }) =>
      allPages((query) =>
        Effect.map(approvals.list({ query }), ({ approvals, cursor }) => ({ items: approvals, cursor }))
      ),
    { live: true }
  )

export const useApproval = (id: string) =>
  useServiceQuery(["approvals", id], ({ approvals }) => approvals.get({ params: { id }, query: {} }), { live: true })

export const useDecision = (id: string, decision: "approve" | "deny") =>
  useServiceMutation(({ approvals }) => approvals[decision]({ params: { id } }), ["approvals", "logs"])
