"""The entry: ``streamlit run app.py``."""

from pages._ui import frame

frame.run()
