"""Drop-ins: the classes of other libraries, with the answers of this one."""
