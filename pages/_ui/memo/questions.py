"""What the checklists asked and the documents do not say."""

from __future__ import annotations

import streamlit as st

from pages._ui import frame, state
from pages._ui.html import element
from pages._ui.memo.paper import Paper


def draw(on: Paper) -> None:
    if not on.memo.open_questions:
        st.success("The documents answer every question of the checklists.", icon=":material/check:")
        return
    st.caption("The checklists asked these, and no passage answers them. They go into the memo as they are.")
    last = ""
    for number, question in enumerate(on.memo.open_questions):
        if question.specialist != last:
            st.html(element("div", question.specialist, class_="ae-rule"))
            last = question.specialist
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                element(
                    "div",
                    question.text,
                    element("div", f"A complete answer: {question.complete}", class_="ae-fine")
                    if question.complete
                    else "",
                    class_="ae-question",
                ),
                width="stretch",
            )
            if st.button("Ask in Compare", key=f"memo.ask.{number}", type="tertiary"):
                state.change(question=question.text)
                frame.go("compare")
