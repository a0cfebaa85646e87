"""What the screens share: frame, state, theme, and the few widgets Streamlit does not have."""
