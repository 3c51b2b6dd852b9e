from pathlib import Path
def compare(folder, html): raise NotImplementedError
